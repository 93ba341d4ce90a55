/**
 * The outcome of `work`, or the signal's reason as soon as it is aborted: a server that hangs must not hold up Ctrl-C, and where a
 * server's death makes a request fail, the death is the better reason. What is still under way is bounded in time by itself.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = new AbortController();
  const abortion = new Promise<never>((_, reject) => {
    const onAbort = (): void => {
      reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true, signal: aborted.signal });
  });
  try {
    return await Promise.race([work, abortion]);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    aborted.abort();
  }
}
