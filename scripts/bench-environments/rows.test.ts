import { expect, test } from 'vitest';
import type { LoadSample } from '../load-sample.ts';
import type { Round } from './measure.ts';
import { rowsOf } from './rows.ts';

const sample = (requests: number, cpuMicros: number | null = requests * 20): LoadSample => ({
  requestsInWindow: requests,
  windowMs: 1000,
  requests,
  cpuMicros,
});
const round = (native: number, compose: number, change: Partial<Round> = {}): Round => ({
  variant: 'go',
  path: '/hello',
  vus: 20,
  native: sample(native),
  compose: sample(compose),
  ...change,
});
const statistics = { alpha: 0.05, minRoundsForInterval: 6 } as never;

test('a row is the containers over the processes, round by round', () => {
  const [row, ...others] = rowsOf([round(1000, 500), round(2000, 1000), round(400, 200)], statistics);
  expect(others).toEqual([]);
  expect(row?.ratio).toBeCloseTo(0.5, 12);
  expect(row?.interval).toBeNull();
  expect(row?.native.requestsPerSecond).toBeCloseTo(3400 / 3, 9);
  expect(row?.compose.cpuMicrosPerRequest).toBeCloseTo(20, 9);
});

test('six rounds have an interval that holds the ratio', () => {
  const [row] = rowsOf(
    [0.4, 0.45, 0.5, 0.5, 0.55, 0.6].map((ratio) => round(1000, 1000 * ratio)),
    statistics,
  );
  expect(row?.interval?.low).toBeCloseTo(0.4, 9);
  expect(row?.interval?.high).toBeCloseTo(0.6, 9);
});

test('every variant, endpoint and load has a row of its own; CPU that was not read is absent', () => {
  const rows = rowsOf(
    [round(1, 1), round(1, 1, { vus: 100 }), round(1, 1, { variant: 'node', compose: sample(1, null) })],
    statistics,
  );
  expect(rows.map(({ variant, vus }) => `${variant} ${vus}`)).toEqual(['go 20', 'go 100', 'node 20']);
  expect(rows[2]?.compose.cpuMicrosPerRequest).toBeNull();
});
