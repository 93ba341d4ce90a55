import { expect, test } from 'vitest';
import { coefficientOfVariation, maximum, median, minimum } from './order-statistics.ts';

test('the median of odd, even and no values; the input stays as it was', () => {
  const values = [3, 1, 2];
  expect(median(values)).toBe(2);
  expect(values).toEqual([3, 1, 2]);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(median([])).toBeNull();
});

test('extremes of nothing are absent, not infinite', () => {
  expect([minimum([2, 1]), maximum([2, 1])]).toEqual([1, 2]);
  expect([minimum([]), maximum([])]).toEqual([null, null]);
});

test('the coefficient of variation by hand: 2 4 4 4 5 5 7 9 has mean 5 and squares of 32', () => {
  expect(coefficientOfVariation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7) / 5, 15);
  expect(coefficientOfVariation([5])).toBeNull();
  expect(coefficientOfVariation([0, 0])).toBeNull();
});
