/** What a load yielded: one run, or several in turn. */
export interface LoadSample {
  /** Requests that ended in the window. */
  readonly requestsInWindow: number;
  /** The window's length, in milliseconds. */
  readonly windowMs: number;
  /** All requests of the run, those outside the window too: what `cpuMicros` was spent on. */
  readonly requests: number;
  /** User and system time of the process in question; null where it cannot be read. */
  readonly cpuMicros: number | null;
}

/** Several runs as one: sums, so that a longer one weighs more. */
export function joined(samples: readonly LoadSample[]): LoadSample {
  const sum = (of: (sample: LoadSample) => number): number => samples.reduce((total, sample) => total + of(sample), 0);
  return {
    requestsInWindow: sum((sample) => sample.requestsInWindow),
    windowMs: sum((sample) => sample.windowMs),
    requests: sum((sample) => sample.requests),
    cpuMicros: samples.some(({ cpuMicros }) => cpuMicros === null) ? null : sum(({ cpuMicros }) => cpuMicros ?? 0),
  };
}

/** 0 without a window. */
export function requestsPerSecond({ requestsInWindow, windowMs }: LoadSample): number {
  return windowMs === 0 ? 0 : (requestsInWindow * 1000) / windowMs;
}

/** null without requests, or where the process's clock, which ticks every 10 ms, tells nothing. */
export function cpuMicrosPerRequest({ requests, cpuMicros }: LoadSample): number | null {
  return cpuMicros === null || cpuMicros <= 0 || requests <= 0 ? null : cpuMicros / requests;
}

/**
 * Who runs when: AB BA AB BA … for `pairs` turns each; true is the first of the two. The speed of a shared machine may double
 * within a second, which two long runs would take for a difference between the two. (Measured with a loop of fixed work on such
 * a machine: two neighbouring seconds differ by 14 % as a rule, the same time in turns of 125 ms by 3.5 %, of 250 ms by 4.8 %.)
 */
export function turnOrder(pairs: number): boolean[] {
  return Array.from({ length: pairs }, (_, pair) => (pair % 2 === 0 ? [true, false] : [false, true])).flat();
}
