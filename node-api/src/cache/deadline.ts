/** A command that Redis did not answer in time. */
export class DeadlineExceeded extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = 'DeadlineExceeded';
  }
}

/**
 * Settles as `work` does, or rejects with DeadlineExceeded after `ms`; what `work` does later is ignored.
 *
 * When a busy event loop runs late, timers run before the sockets are read, and an answer may already lie there. So a
 * timer that fires lets the loop read its sockets once before it judges.
 */
export function withDeadline<T>(work: Promise<T>, ms: number): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => {
      setImmediate(reject, new DeadlineExceeded(ms));
    }, ms);
    work.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error instanceof Error ? error : new Error(String(error)));
      },
    );
  });
}
