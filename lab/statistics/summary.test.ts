import { describe, expect, test } from 'vitest';
import { noPercentiles } from '../model/measurement.ts';
import { testCell, testMeasurement, testPercentiles, testRecord } from '../model/test-records.ts';
import { summarise } from './summary.ts';

const cell = testCell();
const measured = (round: number, changes: Parameters<typeof testMeasurement>[0]) =>
  testRecord(cell, round, { measurement: testMeasurement(changes) });

describe('rates and counts', () => {
  test('the mean is all requests over all window time, so a longer window weighs more', () => {
    const records = [measured(1, { requests: 1000, windowMs: 1000 }), measured(2, { requests: 6000, windowMs: 3000 })];
    const { requestsPerSecond, requests, rounds, plannedRounds } = summarise(cell, records, 10, null);
    expect(requestsPerSecond).toEqual({
      mean: 1750,
      min: 1000,
      max: 2000,
      // Two values: |a − b| / √2 over their mean.
      coefficientOfVariation: expect.closeTo(1000 / Math.SQRT2 / 1500, 12) as number,
      perRound: [
        { round: 1, generation: 1, value: 1000 },
        { round: 2, generation: 1, value: 2000 },
      ],
    });
    expect([requests, rounds, plannedRounds]).toEqual([7000, 2, 10]);
  });

  test('takes the slices of its cell only, by round, whatever order they come in', () => {
    const records = [
      measured(3, { requests: 3 }),
      testRecord(testCell('node'), 1),
      testRecord(testCell('go', 'hello'), 1),
      testRecord(testCell('go', 'products', 100), 1),
      measured(1, { requests: 1 }),
    ];
    const { requestsPerSecond } = summarise(cell, records, 3, null);
    expect(requestsPerSecond.perRound.map(({ round, value }) => [round, value])).toEqual([
      [1, 1],
      [3, 3],
    ]);
  });

  test('failed requests, checks, bytes and errors add up; the first example of a kind stays', () => {
    const records = [
      measured(1, {
        requests: 100,
        failedRequests: 1,
        checks: { status: { passed: 99, failed: 1 }, body: { passed: 98, failed: 2 } },
        bytesReceived: 990,
        errors: { timeout: { count: 1, example: 'first' } },
        failedCheckExamples: ['a', 'b', 'c'],
      }),
      measured(2, {
        requests: 100,
        failedRequests: 3,
        unfinishedRequests: 2,
        checks: { status: { passed: 97, failed: 3 }, body: { passed: 100, failed: 0 } },
        bytesReceived: 970,
        errors: { timeout: { count: 2, example: 'second' }, 'status 500': { count: 1, example: 'x' } },
        failedCheckExamples: ['b', 'd', 'e', 'f'],
      }),
    ];
    expect(summarise(cell, records, 2, null)).toMatchObject({
      failedRequests: 4,
      unfinishedRequests: 2,
      failedRate: 0.02,
      checksPassed: 394,
      checksFailed: 6,
      checksRate: 0.985,
      bytesPerResponse: 9.8,
      errors: { timeout: { count: 3, example: 'first' }, 'status 500': { count: 1, example: 'x' } },
      failedCheckExamples: ['a', 'b', 'c', 'd', 'e'],
    });
  });

  test('nothing measured is absent, not zero', () => {
    const failure = { code: 'GENERATOR_FAILED', message: 'no summary' };
    expect(summarise(cell, [testRecord(cell, 1, { failure })], 2, null)).toMatchObject({
      rounds: 0,
      plannedRounds: 2,
      requests: 0,
      failedRate: null,
      checksRate: null,
      requestsPerSecond: { mean: null, min: null, max: null, coefficientOfVariation: null, perRound: [] },
      latencyMs: noPercentiles,
      percentilesFrom: null,
      bytesPerResponse: null,
      cpuMsPerRequest: { api: null, generator: null, postgres: null, redis: null },
      generatorShare: null,
      peakResidentBytes: null,
    });
  });
});

describe('percentiles', () => {
  const rounds = [
    measured(1, { requests: 100, latencyMs: testPercentiles(10) }),
    measured(2, { requests: 300, latencyMs: testPercentiles(30) }),
    measured(3, { requests: 100, latencyMs: testPercentiles(14) }),
  ];

  test('without merged histograms: the median over the rounds, extremes stay extremes, the mean by requests', () => {
    expect(summarise(cell, rounds, 3, null)).toMatchObject({
      percentilesFrom: 'median-of-rounds',
      latencyMs: { p50: 14, p90: 28, p95: 42, p99: 56, p999: 70, min: 5, max: 180, mean: (11 + 3 * 31 + 15) / 5 },
    });
  });

  test('merged histograms are taken as they are', () => {
    const merged = { latencyMs: testPercentiles(12), timeToFirstByteMs: testPercentiles(9) };
    expect(summarise(cell, rounds, 3, merged)).toMatchObject({ percentilesFrom: 'merged-histograms', ...merged });
  });

  test('one measured round is its own figure, and says so', () => {
    const { percentilesFrom, latencyMs } = summarise(cell, rounds.slice(0, 1), 3, null);
    expect(percentilesFrom).toBe('one-round');
    expect(latencyMs).toEqual(testPercentiles(10));
  });

  test('a percentile that a generator never gives stays null; one given in some rounds is of those', () => {
    const without = { ...testPercentiles(10), p999: null, p99: null };
    const records = [
      measured(1, { latencyMs: without }),
      measured(2, { latencyMs: { ...testPercentiles(20), p999: null } }),
    ];
    expect(summarise(cell, records, 2, null).latencyMs).toMatchObject({ p50: 15, p99: 80, p999: null });
  });

  test('a round without requests has no say', () => {
    const empty = measured(2, { requests: 0 });
    expect(summarise(cell, [rounds[0]!, empty], 2, null).percentilesFrom).toBe('one-round');
  });
});
