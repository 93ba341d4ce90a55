import { describe, expect, test } from 'vitest';
import { sets } from '../../tests/fixtures/sets.ts';
import type { LabEvent } from '../model/events.ts';
import { advance, fractionDone, remainingMs, startProgress, type Progress } from './progress-state.ts';

const set = sets.quick();
const { plan } = set;
const [generation] = plan.generations;
const [first, second] = generation!.slices;
const recordOf = (id: string) => set.slices.find(({ slice }) => slice.id === id)!;

/** Events, each with the time at which it comes. */
function after(...events: readonly (readonly [number, LabEvent])[]): Progress {
  return events.reduce((state, [atMs, event]) => advance(state, event, atMs), startProgress(plan, 0));
}

const slice = (startMs: number, endMs: number, which = first!): [number, LabEvent][] => [
  [startMs, { kind: 'slice-started', slice: which }],
  [endMs, { kind: 'slice-ended', record: recordOf(which.id) }],
];

describe('time left', () => {
  // 32 slices of 1 s with 300 ms around each, 8 warm-ups of 2 s, and no restart: there is one generation.
  const guessed = 32 * 1300 + 8 * 2000;

  test('is guessed from the plan before anything was seen', () => {
    expect(remainingMs(startProgress(plan, 0), 0)).toBe(guessed);
  });

  test('does not run down while the environment starts: that is not in the plan', () => {
    expect(remainingMs(after([10, { kind: 'environment', line: 'go build' }]), 60_000)).toBe(guessed);
  });

  test('runs down within a run, and stops where the run should have ended', () => {
    const state = after([1000, { kind: 'slice-started', slice: first! }]);
    expect(remainingMs(state, 1500)).toBe(guessed - 500);
    expect(remainingMs(state, 60_000)).toBe(guessed - 1300);
  });

  test('follows what was seen: 2 s and 3 s a slice mean 2.5 s for each of the others', () => {
    expect(remainingMs(after(...slice(0, 2000), ...slice(2000, 5000, second)), 5000)).toBe(30 * 2500 + 8 * 2000);
  });

  test('leaves out what the parity gate refused', () => {
    const refused = {
      ...set.parity.find(({ endpoint }) => endpoint === 'hello')!,
      passed: false,
      difference: 'byte 1',
    };
    expect(remainingMs(after([0, { kind: 'parity', result: refused }]), 0)).toBe((guessed / 4) * 3);
  });
});

test('the share done is 0 at first, 1 at the end, and never goes back', () => {
  let state = startProgress(plan, 0);
  const seen = [fractionDone(state)];
  generation!.warmUps.forEach((warmUp, index) => {
    const record = { warmUp, finished: true, measurement: null, failure: null };
    state = advance(state, { kind: 'warm-up-started', warmUp }, index * 5000);
    state = advance(state, { kind: 'warm-up-ended', record }, index * 5000 + 4900);
    seen.push(fractionDone(state));
  });
  generation!.slices.forEach((each, index) => {
    for (const [atMs, event] of slice(60_000 + index * 7000, 60_000 + index * 7000 + 6000, each)) {
      state = advance(state, event, atMs);
    }
    seen.push(fractionDone(state));
  });
  expect(seen[0]).toBe(0);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
  expect(seen.at(-1)).toBe(1);
  expect(remainingMs(state, 400_000)).toBe(0);
});

test('the last rate is the last slice’s; null where it failed', () => {
  expect(after(...slice(0, 1000)).last).toEqual({
    variant: first!.cell.variant,
    requestsPerSecond: recordOf(first!.id).measurement?.requestsPerSecond,
  });
  const failure = { code: 'GENERATOR_FAILED', message: 'no summary' };
  const record = { ...recordOf(first!.id), measurement: null, failure };
  expect(after([0, { kind: 'slice-ended', record }]).last).toBeNull();
});
