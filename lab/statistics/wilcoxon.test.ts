import { describe, expect, test } from 'vitest';
import { sampleOf, testRandom } from './test-random.ts';
import { doubledMidRanks, rankSumDistribution, signedRankCumulative, signedRankPValue } from './wilcoxon.ts';

/** The definition itself: every sign pattern of the non-zero differences, counted one by one. */
function pValueByEnumeration(differences: readonly number[]): number {
  const ranks = doubledMidRanks(differences).filter((_, index) => differences[index] !== 0);
  const signs = differences.filter((difference) => difference !== 0).map((difference) => difference > 0);
  const observed = ranks.filter((_, index) => signs[index]).reduce((sum, rank) => sum + rank, 0);
  const patterns = 2 ** ranks.length;
  let atMost = 0;
  let atLeast = 0;
  for (let pattern = 0; pattern < patterns; pattern += 1) {
    const sum = ranks.reduce((total, rank, index) => total + (pattern & (1 << index) ? rank : 0), 0);
    if (sum <= observed) atMost += 1;
    if (sum >= observed) atLeast += 1;
  }
  return Math.min(1, (2 * Math.min(atMost, atLeast)) / patterns);
}

describe('the null distribution', () => {
  test('n = 5: the frequencies, counted by hand over 32 patterns', () => {
    const frequencies = rankSumDistribution([1, 2, 3, 4, 5]).map((probability) => probability * 32);
    expect(frequencies).toEqual([1, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 2, 2, 1, 1, 1]);
  });

  // Published critical values, two-sided (Wilcoxon and Wilcox 1964, Some Rapid Approximate Statistical Procedures, table 2;
  // McCornack 1965, JASA 60:864–871 for the larger n): the largest T with 2·P(T' ≤ T) ≤ alpha.
  test.each([
    [0.05, 6, 0],
    [0.05, 7, 2],
    [0.05, 8, 3],
    [0.05, 9, 5],
    [0.05, 10, 8],
    [0.05, 12, 13],
    [0.05, 15, 25],
    [0.05, 20, 52],
    [0.05, 25, 89],
    [0.05, 30, 137],
    [0.05, 50, 434],
    [0.01, 8, 0],
    [0.01, 10, 3],
    [0.01, 15, 15],
    [0.01, 20, 37],
    [0.01, 25, 68],
    [0.01, 30, 109],
    [0.01, 50, 373],
  ])('alpha %d, n = %d: the critical value is %d', (alpha, n, critical) => {
    const cumulative = signedRankCumulative(n);
    expect(2 * cumulative[critical]!).toBeLessThanOrEqual(alpha);
    expect(2 * cumulative[critical + 1]!).toBeGreaterThan(alpha);
  });

  test('n = 50 adds up to 1 exactly and is symmetric', () => {
    const probabilities = rankSumDistribution(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(probabilities).toHaveLength(1276);
    expect(probabilities.reduce((sum, probability) => sum + probability, 0)).toBe(1);
    expect(probabilities.toReversed()).toEqual(probabilities);
  });
});

describe('mid-ranks', () => {
  test('ties share the mean of their ranks, signs do not matter', () => {
    expect(doubledMidRanks([3, -1, 1, 2, -3, 3])).toEqual([10, 3, 3, 6, 10, 10]);
  });
});

describe('the p-value', () => {
  test("Hollander and Wolfe's depression data: R's wilcox.test gives V = 40, p = 0.01953 one-sided", () => {
    const differences = [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01];
    expect(signedRankPValue(differences)).toBe(0.0390625);
  });

  test("Darwin's maize (Fisher 1935): SciPy's documentation of wilcoxon gives p = 0.041259765625", () => {
    expect(signedRankPValue([6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75])).toBe(0.041259765625);
  });

  // From an enumeration with exact fractions, written in Python apart from this code.
  test.each([
    [[1, 1, -1, 2, 2, 3, -3, 4, 5, 6], 31 / 512],
    [[0, 0, 1, -1, 2, 3, 4, 5, 6], 3 / 64],
    [[0, 0, 0, 0, 1, 2, 3, 4, 5, 6], 1 / 32],
    [[-2, -2, -2, 1, 3, 3, 5], 27 / 64],
    [[1, 1, 1, 1, 1, 1], 1 / 32],
    [[1], 1],
    [[0, 0, 0], 1],
  ])('ties and zeros: %j', (differences, expected) => {
    expect(signedRankPValue(differences)).toBe(expected);
  });

  test('agrees with the enumeration of all sign patterns for n = 1 … 12, ties and zeros included', () => {
    const random = testRandom(101);
    for (let n = 1; n <= 12; n += 1) {
      for (let repeat = 0; repeat < 10; repeat += 1) {
        const coarse = sampleOf(n, () => Math.round(random.normal() * 3 + 1));
        const fine = sampleOf(n, () => random.normal() + 0.5);
        expect(signedRankPValue(coarse)).toBeCloseTo(pValueByEnumeration(coarse), 14);
        expect(signedRankPValue(fine)).toBeCloseTo(pValueByEnumeration(fine), 14);
      }
    }
  });

  test('swapping the two sides changes nothing', () => {
    const random = testRandom(102);
    const differences = sampleOf(10, () => random.normal());
    expect(signedRankPValue(differences.map((difference) => -difference))).toBe(signedRankPValue(differences));
  });

  test('nothing to test is null, not 1', () => {
    expect(signedRankPValue([])).toBeNull();
  });
});
