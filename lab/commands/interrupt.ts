import { LabError } from '../model/errors.ts';

/** Ctrl-C, a polite kill, and a terminal that goes away. */
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Turns interruption into an AbortSignal whose reason is a LabError INTERRUPTED. The first signal starts an orderly end: what was
 * measured is kept, what was started is stopped. Further ones change nothing, since each step of that end is bounded in time.
 */
export async function withInterrupt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const onSignal = (name: string): void => {
    if (controller.signal.aborted) {
      process.stderr.write('\nstill stopping …\n');
      return;
    }
    process.stderr.write('\nstopping …\n');
    controller.abort(new LabError('INTERRUPTED', `interrupted by ${name}`, 'run it again for a complete set'));
  };
  for (const name of signals) process.on(name, onSignal);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of signals) process.off(name, onSignal);
  }
}
