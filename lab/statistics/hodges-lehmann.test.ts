import { describe, expect, test } from 'vitest';
import { hodgesLehmannEstimate, intervalRanks, walshAverages, walshInterval } from './hodges-lehmann.ts';
import { sampleOf, testRandom } from './test-random.ts';
import { signedRankPValue } from './wilcoxon.ts';

/** Hamilton depression scale, before − after: Hollander and Wolfe, table 3.1. */
const depression = [0.952, -0.147, 1.022, 0.43, 0.62, 0.59, 0.49, -0.08, 0.01];

describe('the estimate', () => {
  test('by hand: 1, 2, 6 has the Walsh averages 1 1.5 2 3.5 4 6', () => {
    expect(walshAverages([6, 1, 2])).toEqual([1, 1.5, 2, 3.5, 4, 6]);
    expect(hodgesLehmannEstimate([6, 1, 2])).toBe(2.75);
  });

  test("the depression data: R's wilcox.test(conf.int = TRUE) gives 0.46", () => {
    expect(hodgesLehmannEstimate(depression)).toBeCloseTo(0.46, 12);
  });

  test('one value is its own estimate; none has none', () => {
    expect(hodgesLehmannEstimate([0.3])).toBe(0.3);
    expect(hodgesLehmannEstimate([])).toBeNull();
  });

  test('one wild value of ten moves it far less than it moves the mean', () => {
    const calm = [0.1, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16, 0.17, 0.18, 0.19];
    const wild = [...calm.slice(1), 50];
    expect(Math.abs(hodgesLehmannEstimate(wild)! - hodgesLehmannEstimate(calm)!)).toBeLessThan(0.02);
  });
});

describe('the interval', () => {
  test('n = 10: the 9th and 47th of 55 Walsh averages, attained 1 − 50/1024 = 95.1 %', () => {
    expect(intervalRanks(10, 0.05)).toEqual({ lowRank: 9, highRank: 47, confidence: 1 - 50 / 1024 });
  });

  test('n = 6 is the fewest at 95 %: the whole range of the Walsh averages, attained 1 − 2/64 = 96.9 %', () => {
    expect(intervalRanks(6, 0.05)).toEqual({ lowRank: 1, highRank: 21, confidence: 1 - 2 / 64 });
    expect(intervalRanks(5, 0.05)).toBeNull();
    expect(intervalRanks(0, 0.05)).toBeNull();
  });

  test('the attained confidence is never below what was asked for, up to n = 50', () => {
    for (let n = 6; n <= 50; n += 1) expect(intervalRanks(n, 0.05)!.confidence).toBeGreaterThanOrEqual(0.95);
  });

  test("the depression data: R gives 0.010 to 0.786, Hollander and Wolfe's book 96.1 %", () => {
    const interval = walshInterval(depression, 0.05)!;
    expect(interval.low).toBeCloseTo(0.01, 12);
    expect(interval.high).toBeCloseTo(0.786, 12);
    expect(interval.confidence).toBeCloseTo(0.961, 3);
  });

  test('holds exactly the shifts that the test does not reject', () => {
    const random = testRandom(201);
    for (let n = 6; n <= 16; n += 1) {
      const values = sampleOf(n, () => random.normal());
      const { low, high } = walshInterval(values, 0.05)!;
      const pAt = (shift: number): number => signedRankPValue(values.map((value) => value - shift))!;
      const step = 1e-9;
      expect(pAt(low + step)).toBeGreaterThan(0.05);
      expect(pAt(high - step)).toBeGreaterThan(0.05);
      expect(pAt(low - step)).toBeLessThanOrEqual(0.05);
      expect(pAt(high + step)).toBeLessThanOrEqual(0.05);
    }
  });

  test.each([
    ['normal', 301, (random: ReturnType<typeof testRandom>) => random.normal()],
    // Rates are positive and skewed; the log ratio of two such rates is what an interval is made for.
    ['log of two log-normal rates', 302, (random: ReturnType<typeof testRandom>) => random.normal() - random.normal()],
    ['uniform', 303, (random: ReturnType<typeof testRandom>) => random.uniform() - 0.5],
  ])('n = 10, %s: covers the truth in 93.5 to 97 of 100 of 2,000 samples', (_name, seed, next) => {
    const random = testRandom(seed);
    let covered = 0;
    for (let repeat = 0; repeat < 2000; repeat += 1) {
      const interval = walshInterval(
        sampleOf(10, () => next(random)),
        0.05,
      )!;
      if (interval.low <= 0 && interval.high >= 0) covered += 1;
    }
    expect(covered / 2000).toBeGreaterThan(0.935);
    expect(covered / 2000).toBeLessThan(0.97);
  });
});
