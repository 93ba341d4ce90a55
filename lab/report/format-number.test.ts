import { describe, expect, test } from 'vitest';
import { decimalsFor, formatChange, formatDuration, formatNumber, formatRate, formatTime } from './format-number.ts';

test('a number has thousands separators and as many decimals as asked for; null is n/a, never 0', () => {
  expect(formatNumber(1234567.891, 1)).toBe('1,234,567.9');
  expect(formatNumber(0, 2)).toBe('0.00');
  expect(formatNumber(null, 2)).toBe('n/a');
});

test.each([
  [[563, 21_844], 3, 1, 0],
  [[77.2, 5352], 3, 1, 1],
  [[1.62, 612.36], 2, 2, 1],
  [[0.081, 12], 2, 2, 2],
  [[null, 0], 2, 2, 0],
])('decimals that leave the smallest of %j at least %i digits, at most %i', (values, significant, most, decimals) => {
  expect(decimalsFor(values, significant, most)).toBe(decimals);
});

describe('a rate', () => {
  test.each([
    [0, '0.00 %'],
    [0.000_004, '< 0.01 %'],
    [0.0415, '4.15 %'],
    [0.999_99, '> 99.99 %'],
    [1, '100.00 %'],
    [null, 'n/a'],
  ])('%s is %s: only nothing is 0, and only all is 100', (rate, text) => {
    expect(formatRate(rate)).toBe(text);
  });
});

test.each([
  [1.04, '+4 %'],
  [0.77, '−23 %'],
  [1.001, '±0 %'],
  [null, 'n/a'],
])('a factor of %s is a change of %s', (factor, text) => {
  expect(formatChange(factor)).toBe(text);
});

test('durations and times', () => {
  expect([250, 1000, 2500, 30_000].map(formatDuration)).toEqual(['250 ms', '1 s', '2.5 s', '30 s']);
  expect(formatTime('2026-11-30T10:15:02.000Z')).toBe('2026-11-30 10:15 UTC');
  expect(formatTime('yesterday')).toBe('yesterday');
});
