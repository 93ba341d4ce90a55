import type { LabEvent } from '../model/events.ts';
import type { SliceRecord } from '../model/measurement.ts';
import type { Cell, Plan, Slice } from '../model/plan.ts';

type Work = 'slice' | 'warmUp' | 'restart';

/** How often one kind of work is planned, what it takes at a guess, and what was seen of it. */
interface Tally {
  readonly planned: number;
  readonly guessMs: number;
  readonly done: number;
  readonly seenMs: number;
}

/** What is going on. */
export type Activity =
  | { readonly kind: 'preparing'; readonly line: string }
  | { readonly kind: 'restart'; readonly generation: number }
  | { readonly kind: 'warmUp'; readonly cell: Cell; readonly generation: number }
  | { readonly kind: 'slice'; readonly slice: Slice };

/** Everything that the progress line knows. Times are milliseconds on one monotonic clock. */
export interface Progress {
  readonly plan: Plan;
  readonly activity: Activity;
  readonly activitySinceMs: number;
  readonly tallies: Readonly<Record<Work, Tally>>;
  /** Requests per second of the last slice; null before the first, or where it failed. */
  readonly last: { readonly variant: string; readonly requestsPerSecond: number } | null;
}

/** Around a slice: priming the cache, reading counters, saving the record. Replaced by what is seen. */
const guessedSliceOverheadMs = 300;
const guessedRestartMs = 2000;

export function startProgress(plan: Plan, nowMs: number): Progress {
  return {
    plan,
    activity: { kind: 'preparing', line: 'starting' },
    activitySinceMs: nowMs,
    tallies: talliesOf(plan),
    last: null,
  };
}

/** The next state. Endpoints that the parity gate refused are not loaded: their runs leave the plan. */
export function advance(state: Progress, event: LabEvent, nowMs: number): Progress {
  const begin = (activity: Activity): Progress => ({ ...state, activity, activitySinceMs: nowMs });
  const end = (work: Work): Progress => ({ ...state, tallies: counted(state, work, nowMs), activitySinceMs: nowMs });
  switch (event.kind) {
    case 'environment':
      return begin({ kind: 'preparing', line: event.line });
    case 'parity':
      return event.result.passed ? state : withoutEndpoint(state, event.result.endpoint);
    case 'restart-started':
      return begin({ kind: 'restart', generation: event.generation });
    case 'restart-ended':
      return end('restart');
    case 'warm-up-started':
      return begin({ kind: 'warmUp', cell: event.warmUp.cell, generation: event.warmUp.generation });
    case 'warm-up-ended':
      return end('warmUp');
    case 'slice-started':
      return begin({ kind: 'slice', slice: event.slice });
    case 'slice-ended':
      return { ...end('slice'), last: lastOf(event.record) };
    case 'saved':
    case 'warning':
      return state;
  }
}

function lastOf({ slice, measurement }: SliceRecord): Progress['last'] {
  return measurement === null
    ? null
    : { variant: slice.cell.variant, requestsPerSecond: measurement.requestsPerSecond };
}

/** Milliseconds until the plan is done: by the guesses first, by the means of what was seen as soon as there is any. */
export function remainingMs({ tallies, activity, activitySinceMs }: Progress, nowMs: number): number {
  const remaining = works.reduce((sum, work) => {
    const tally = tallies[work];
    return sum + Math.max(0, tally.planned - tally.done) * expectedMs(tally);
  }, 0);
  if (activity.kind === 'preparing') return remaining;
  // What runs now counts as not done; a part of it has passed.
  const passed = Math.min(nowMs - activitySinceMs, expectedMs(tallies[activity.kind]));
  return Math.max(0, remaining - passed);
}

/** 0..1, by the guesses: it never goes back when the estimates change. */
export function fractionDone({ tallies }: Progress): number {
  const [done, planned] = works.reduce<[number, number]>(
    ([doneMs, plannedMs], work) => {
      const tally = tallies[work];
      return [doneMs + Math.min(tally.done, tally.planned) * tally.guessMs, plannedMs + tally.planned * tally.guessMs];
    },
    [0, 0],
  );
  return planned === 0 ? 0 : done / planned;
}

const works: readonly Work[] = ['slice', 'warmUp', 'restart'];

function talliesOf(plan: Plan): Record<Work, Tally> {
  const count = (kind: 'slices' | 'warmUps'): number =>
    plan.generations.reduce((sum, generation) => sum + generation[kind].length, 0);
  return {
    slice: tally(count('slices'), plan.sliceMs + guessedSliceOverheadMs),
    warmUp: tally(count('warmUps'), plan.warmUpLimits.minDurationMs),
    // The first generation's processes are the ones that were started for the parity gate.
    restart: tally(Math.max(0, plan.generations.length - 1), guessedRestartMs),
  };
}

function tally(planned: number, guessMs: number): Tally {
  return { planned, guessMs, done: 0, seenMs: 0 };
}

function expectedMs({ done, seenMs, guessMs }: Tally): number {
  return done === 0 ? guessMs : seenMs / done;
}

function counted({ tallies, activitySinceMs }: Progress, work: Work, nowMs: number): Record<Work, Tally> {
  const before = tallies[work];
  const seenMs = before.seenMs + (nowMs - activitySinceMs);
  return { ...tallies, [work]: { ...before, done: before.done + 1, seenMs } };
}

function withoutEndpoint(state: Progress, endpoint: string): Progress {
  const plan: Plan = {
    ...state.plan,
    generations: state.plan.generations.map((generation) => ({
      ...generation,
      warmUps: generation.warmUps.filter(({ cell }) => cell.endpoint !== endpoint),
      slices: generation.slices.filter(({ cell }) => cell.endpoint !== endpoint),
    })),
  };
  return { ...state, plan, tallies: talliesOf(plan) };
}
