import { describe, expect, test } from 'vitest';
import { noPercentiles } from '../model/measurement.ts';
import { testFigures, testPercentiles, testThresholds } from '../model/test-records.ts';
import { thresholdOutcomes } from './thresholds.ts';

const outcomes = (changes: Parameters<typeof testFigures>[0]) =>
  thresholdOutcomes(testFigures(changes), testThresholds);
const passed = (changes: Parameters<typeof testFigures>[0]) => outcomes(changes).map((outcome) => outcome.passed);
const withP95 = (p95: number) => ({ latencyMs: { ...testPercentiles(10), p95 } });

describe('the thresholds of a cell', () => {
  test('are the published three, in words and with their value', () => {
    expect(outcomes({})).toEqual([
      { name: 'p95', expression: 'p95 < 500 ms', value: 30, passed: true },
      { name: 'failed', expression: 'failed < 1 %', value: 0, passed: true },
      { name: 'checks', expression: 'checks > 99 %', value: 1, passed: true },
    ]);
  });

  test('a value on its limit has crossed it', () => {
    expect(passed({ ...withP95(500), failedRate: 0.01, checksRate: 0.99 })).toEqual([false, false, false]);
    expect(passed({ ...withP95(499.9), failedRate: 0.0099, checksRate: 0.9901 })).toEqual([true, true, true]);
  });

  test('nothing to evaluate is neither passed nor crossed', () => {
    expect(passed({ latencyMs: noPercentiles, failedRate: null, checksRate: null })).toEqual([null, null, null]);
  });
});
