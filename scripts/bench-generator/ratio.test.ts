import { expect, test } from 'vitest';
import { pairedRatios, spreadOf } from './ratio.ts';

test('median and extremes', () => {
  expect(spreadOf([3, 1, 2])).toEqual({ median: 2, min: 1, max: 3 });
  expect(spreadOf([4, 1, 2, 3])).toEqual({ median: 2.5, min: 1, max: 4 });
  expect(spreadOf([7])).toEqual({ median: 7, min: 7, max: 7 });
  expect(spreadOf([])).toBeNull();
});

test('ratios are taken within a round, and only where both sides have a figure', () => {
  expect(pairedRatios([2, 9, null, 4], [1, 3, 1, null])).toEqual([2, 3]);
  expect(pairedRatios([2], [])).toEqual([]);
});
