import { expect, test } from 'vitest';
import {
  testCell,
  testPercentiles,
  testRates,
  testRecord,
  testSummary,
  testThresholds,
} from '../model/test-records.ts';
import { compareThroughput } from './comparison.ts';
import { headline } from './headline.ts';

const cells = [testCell('go'), testCell('node'), testCell('go', 'hello'), testCell('node', 'hello')];
const rates = [1500, 1000, 4000, 2000];
const summaries = cells.map((cell, index) =>
  testSummary({
    cell,
    requests: 1000,
    failedRequests: index,
    checksPassed: 999,
    checksFailed: 1,
    requestsPerSecond: testRates([rates[index]!]),
    latencyMs: testPercentiles(10 + index),
  }),
);
const records = [
  ...cells.map((cell) => testRecord(cell, 1)),
  testRecord(cells[0]!, 2, { failure: { code: 'GENERATOR_FAILED', message: '' } }),
];

test('counts everything, and runs are slices that yielded a measurement', () => {
  const comparisons = compareThroughput(summaries, 'node', testThresholds);
  const figures = headline(summaries, comparisons, records, 8);
  expect(figures).toMatchObject({
    requests: 4000,
    runs: 4,
    plannedRuns: 8,
    failedRequests: 6,
    failedRate: 6 / 4000,
    checksRate: 0.999,
    highestP95: { valueMs: 39, cell: cells[3] },
  });
  expect(figures.ratioRange!.min).toBeCloseTo(1.5, 12);
  expect(figures.ratioRange!.max).toBeCloseTo(2, 12);
});

test('a request that was cut in flight has failed', () => {
  const cut = testSummary({ requests: 90, failedRequests: 1, unfinishedRequests: 10 });
  expect(headline([cut], [], [], 8)).toMatchObject({ requests: 90, failedRequests: 11, failedRate: 0.11 });
});

test('a withheld ratio is not in the range', () => {
  const comparisons = compareThroughput(summaries, 'node', testThresholds).map((row) =>
    row.endpoint === 'hello' ? { ...row, outcome: 'withheld' as const } : row,
  );
  expect(headline(summaries, comparisons, records, 8).ratioRange!.max).toBeCloseTo(1.5, 12);
});

test('an empty set has no rates, no range and no highest p95', () => {
  expect(headline([], [], [], 8)).toEqual({
    requests: 0,
    runs: 0,
    plannedRuns: 8,
    failedRequests: 0,
    failedRate: null,
    checksRate: null,
    ratioRange: null,
    highestP95: null,
  });
});
