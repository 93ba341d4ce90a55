import { build, encodeIntoCompressedBase64, initWebAssembly } from 'hdr-histogram-js';
import { expect, test } from 'vitest';
import { decodeHistogram, histogramGeometry, mergeHistograms, type HistogramRecord } from './histogram.ts';

const empty = { mean: null, min: null, p50: null, p90: null, p95: null, p99: null, p999: null, max: null };

function record(values: readonly number[], useWebAssembly = false): HistogramRecord {
  const histogram = build({
    autoResize: false,
    highestTrackableValue: histogramGeometry.highestTrackableMicros,
    numberOfSignificantValueDigits: histogramGeometry.significantDigits,
    useWebAssembly,
  });
  for (const value of values) histogram.recordValue(value);
  return {
    unit: 'microseconds',
    count: values.length,
    minMicros: values.length === 0 ? null : Math.min(...values),
    maxMicros: values.length === 0 ? null : Math.max(...values),
    sumMicros: values.reduce((total, value) => total + value, 0),
    aboveHighest: 0,
    encoded: encodeIntoCompressedBase64(histogram),
  };
}

/** Latencies from 1 µs to about 80 s, from a fixed seed. */
function latencies(count: number, seed: number): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor(Math.exp((state / 2_147_483_647) * 18.2));
  });
}

/** The nearest-rank percentile of the values themselves, in milliseconds. In permille: 0.999 × 20,000 is no whole number in floating point. */
function reference(values: readonly number[], permille: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil((permille * sorted.length) / 1000) - 1)]! / 1000;
}

function expectWithinPrecision(actual: number | null, exact: number): void {
  expect(actual).not.toBeNull();
  expect(actual!).toBeGreaterThanOrEqual(exact);
  expect(actual!).toBeLessThanOrEqual(exact * 1.001 + 0.001);
}

test.each([1, 2, 3, 999, 20_000])('%i values: percentiles are those of the sorted values', (count) => {
  const values = latencies(count, 42);
  const merged = mergeHistograms([record(values)]);
  expectWithinPrecision(merged.p50, reference(values, 500));
  expectWithinPrecision(merged.p90, reference(values, 900));
  expectWithinPrecision(merged.p95, reference(values, 950));
  expectWithinPrecision(merged.p99, reference(values, 990));
  expectWithinPrecision(merged.p999, reference(values, 999));
  expect(merged.min).toBe(reference(values, 0));
  expect(merged.max).toBe(reference(values, 1000));
  expect(merged.mean).toBeCloseTo(values.reduce((a, b) => a + b, 0) / values.length / 1000, 6);
});

test('merging is the same as recording everything in one, in any order, empty ones included', () => {
  const fast = latencies(5000, 7).map((value) => value % 900);
  const slow = latencies(300, 11);
  const together = mergeHistograms([record([...fast, ...slow])]);
  expect(mergeHistograms([record(fast), record([]), record(slow)])).toEqual(together);
  expect(mergeHistograms([record(slow), record(fast)])).toEqual(together);
});

test('merging leaves its records as they are', () => {
  const one = record([5, 6, 7]);
  mergeHistograms([one, one]);
  expect(mergeHistograms([one]).mean).toBe(0.006);
});

test('without values everything is null, never zero', () => {
  expect(mergeHistograms([])).toEqual(empty);
  expect(mergeHistograms([record([]), record([])])).toEqual(empty);
});

test('no percentile lies outside min and max', () => {
  const merged = mergeHistograms([record([123_457])]);
  expect(Object.values(merged)).toEqual(Array.from({ length: 8 }, () => 123.457));
});

test('zero microseconds is a value', () => {
  expect(mergeHistograms([record([0, 0])])).toMatchObject({ min: 0, p50: 0, max: 0, mean: 0 });
});

test('what WebAssembly wrote, JavaScript reads', async () => {
  const values = latencies(3000, 3);
  await initWebAssembly();
  expect(mergeHistograms([record(values, true)])).toEqual(mergeHistograms([record(values)]));
});

test('a damaged histogram is named as such', () => {
  expect(() => decodeHistogram({ ...record([1, 2]), encoded: 'bm90IGEgaGlzdG9ncmFt' })).toThrow(/cannot be decoded/);
  expect(() => decodeHistogram({ ...record([1, 2]), encoded: '' })).toThrow(/cannot be decoded/);
  expect(() => mergeHistograms([{ ...record([1, 2]), count: 3 }])).toThrow(/holds 2 values, its record says 3/);
});
