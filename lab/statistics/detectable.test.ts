import { describe, expect, test } from 'vitest';
import { smallestDetectableShift } from './detectable.ts';
import { walshInterval } from './hodges-lehmann.ts';
import { sampleOf, testRandom } from './test-random.ts';

describe('the smallest detectable shift', () => {
  test('n = 6 by hand: half the range, plus half of the 6th to the 16th of 21 Walsh averages', () => {
    // 2·P(T ≤ 5) = 20/64 ≤ 0.4 < 2·P(T ≤ 6), so the 60 % interval goes from the 6th to the 16th.
    const values = [0, 1, 2, 3, 4, 5];
    expect(smallestDetectableShift(values, 0.05)).toBe(5 / 2 + (3.5 - 1.5) / 2);
  });

  test('depends on the spread alone, not on where the rounds lie', () => {
    const values = [0.01, 0.04, -0.02, 0.03, 0, 0.05, 0.02, -0.01];
    const moved = values.map((value) => value + 3);
    expect(smallestDetectableShift(moved, 0.05)).toBeCloseTo(smallestDetectableShift(values, 0.05)!, 12);
  });

  test('no interval, no limit; no spread, no doubt', () => {
    expect(smallestDetectableShift([1, 2, 3, 4, 5], 0.05)).toBeNull();
    expect(smallestDetectableShift([1, 1, 1, 1, 1, 1], 0.05)).toBe(0);
  });

  test.each([
    [8, 401],
    [10, 402],
    [20, 403],
  ])('n = %d: a shift of that size is seen in 75 to 85 of 100 of 1,000 samples', (n, seed) => {
    const random = testRandom(seed);
    const samples = sampleOf(1000, () => 0).map(() => sampleOf(n, () => random.normal()));
    const named = samples.reduce((sum, values) => sum + smallestDetectableShift(values, 0.05)!, 0) / samples.length;
    const seen = samples.filter((values) => walshInterval(values, 0.05)!.low + named > 0).length;
    expect(seen / samples.length).toBeGreaterThan(0.75);
    expect(seen / samples.length).toBeLessThan(0.85);
  });
});
