import { initWebAssembly } from 'hdr-histogram-js';
import { beforeAll, expect, test } from 'vitest';
import { HistogramRecord, mergeHistograms } from '../../model/histogram.ts';
import { LatencyRecorder } from './latency-recorder.ts';

beforeAll(initWebAssembly);

function recorded(...latenciesMs: number[]): HistogramRecord {
  const recorder = new LatencyRecorder();
  for (const latency of latenciesMs) recorder.record(latency);
  const record = recorder.toRecord();
  recorder.destroy();
  return HistogramRecord.parse(record);
}

test('milliseconds in, microseconds kept: mean, min and max exact', () => {
  const record = recorded(0.0004, 1.2345678, 250);
  expect(record).toMatchObject({ count: 3, minMicros: 0, maxMicros: 250_000, sumMicros: 251_235, aboveHighest: 0 });
  expect(mergeHistograms([record])).toMatchObject({ min: 0, max: 250, mean: 251.235 / 3 });
});

test('a latency above the highest trackable one is counted, and its exact value is the maximum', () => {
  const record = recorded(1, 600_000, 600_000.001, 900_000);
  expect(record).toMatchObject({ count: 4, aboveHighest: 2, maxMicros: 900_000_000 });
  expect(mergeHistograms([record]).max).toBe(900_000);
  expect(mergeHistograms([record]).p50).toBeGreaterThanOrEqual(600_000);
});

test('nothing recorded is no minimum of zero', () => {
  expect(recorded()).toMatchObject({ count: 0, minMicros: null, maxMicros: null, sumMicros: 0 });
});
