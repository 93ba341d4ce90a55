import { describe, expect, test } from 'vitest';
import { holmAdjusted } from './holm.ts';

describe("Holm's adjustment", () => {
  test("R's p.adjust(c(0.01, 0.04, 0.03, 0.005), 'holm') is 0.03 0.06 0.06 0.02, and so by hand", () => {
    const adjusted = holmAdjusted([0.01, 0.04, 0.03, 0.005]);
    [0.03, 0.06, 0.06, 0.02].forEach((expected, index) => {
      expect(adjusted[index]).toBeCloseTo(expected, 15);
    });
  });

  test('never above 1, one test is unchanged, none is none', () => {
    expect(holmAdjusted([0.6, 0.7])).toEqual([1, 1]);
    expect(holmAdjusted([0.03])).toEqual([0.03]);
    expect(holmAdjusted([])).toEqual([]);
  });

  test('rejects the same as the step-down procedure as Holm wrote it', () => {
    const pValues = [0.001, 0.3, 0.012, 0.9, 0.016, 0.008];
    const alpha = 0.05;
    const order = [...pValues].sort((a, b) => a - b);
    const firstKept = order.findIndex((pValue, index) => pValue > alpha / (order.length - index));
    const rejected = order.slice(0, firstKept);
    const adjusted = holmAdjusted(pValues);
    expect(pValues.filter((_, index) => adjusted[index]! <= alpha).sort((a, b) => a - b)).toEqual(rejected);
  });

  test('8 rows of all-one-sided rounds can be rejected from 9 rounds on: 8 · 2/2^9 = 0.031', () => {
    const atBest = (rounds: number): number => holmAdjusted(new Array<number>(8).fill(2 / 2 ** rounds))[0]!;
    expect(atBest(9)).toBeLessThanOrEqual(0.05);
    expect(atBest(8)).toBeGreaterThan(0.05);
  });
});
