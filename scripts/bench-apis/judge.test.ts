import { describe, expect, test } from 'vitest';
import { judge } from './judge.ts';
import type { PairedRun, Side } from './measure.ts';
import { describe as describeRows } from './table.ts';

const thresholds = {
  version: 1,
  load: { p95Ms: 500, failedRate: 0.01, checksRate: 0.99 },
  statistics: { alpha: 0.05, minRoundsForInterval: 6 },
} as const;

const side = (requestsPerSecond: number, cpuMs: number | null = 100): Side => ({
  requestsPerSecond,
  requests: requestsPerSecond,
  cpuMs,
});

const run = (api: Side, twin: Side, stack = 'go-api'): PairedRun => ({ stack, path: '/hello', vus: 20, api, twin });

describe('an API against its twin', () => {
  test('the limit itself holds, a hair below it does not', () => {
    expect(judge([run(side(900), side(1000))], thresholds)).toMatchObject([{ holds: true }]);
    expect(judge([run(side(899), side(1000))], thresholds)).toMatchObject([{ holds: false }]);
  });

  test('one odd round hardly moves the ratio, and the interval spans the rounds', () => {
    const runs = [1000, 1010, 990, 1000, 1020, 200].map((rate) => run(side(rate), side(1000)));
    const [row] = judge(runs, thresholds);
    expect(row?.ratio).toBeGreaterThan(0.97);
    expect(row?.interval?.low).toBeCloseTo(0.2);
    expect(row?.spread.high).toBeCloseTo(1.02);
  });

  test('five rounds have no interval', () => {
    const runs = Array.from({ length: 5 }, () => run(side(1000), side(1000)));
    expect(judge(runs, thresholds)).toMatchObject([{ rounds: 5, interval: null }]);
  });

  test('CPU is that of all requests together; unknown in one round, unknown in all', () => {
    const known = judge([run(side(1000, 50), side(1)), run(side(3000, 250), side(1))], thresholds);
    expect(known[0]?.api.cpuMicrosPerRequest).toBeCloseTo(75);
    const unknown = judge([run(side(1000, 50), side(1)), run(side(3000, null), side(1))], thresholds);
    expect(unknown[0]?.api.cpuMicrosPerRequest).toBeNull();
  });
});

test('the table has 80 columns at most, and says what does not hold', () => {
  const runs = Array.from({ length: 6 }, (_, round) => [
    { ...run(side(48_765 + round, 75_000), side(63_456, 63_456)), path: '/products', vus: 100 },
    run(side(1000), side(1000), 'node-api'),
  ]).flat();
  const text = describeRows(judge(runs, thresholds), false);
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(text).toContain('1 of 2 ratios are below 0.9.');
});
