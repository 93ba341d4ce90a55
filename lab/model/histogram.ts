import { decodeFromCompressedBase64, type Histogram } from 'hdr-histogram-js';
import { z } from 'zod';
import { LabError, messageOf } from './errors.ts';
import { ErrorCounts, noPercentiles, type Percentiles } from './measurement.ts';
import { CheckMode } from './plan.ts';
import { Load } from './study.ts';

const counted = z.int().min(0);

/** Geometry of every latency histogram: equal everywhere, so that any two can be merged. */
export const histogramGeometry = {
  lowestDiscernibleMicros: 1,
  /** 10 minutes; longer ones are recorded here and counted in `aboveHighest`. */
  highestTrackableMicros: 600_000_000,
  /** A percentile is off by at most one part in a thousand. */
  significantDigits: 3,
} as const;

/** Latencies in microseconds as an HDR histogram (V2, compressed, base64), with what a histogram alone would round. */
export const HistogramRecord = z.strictObject({
  unit: z.literal('microseconds'),
  count: counted,
  /** Exact, of all values; null when there are none. */
  minMicros: counted.nullable(),
  maxMicros: counted.nullable(),
  sumMicros: counted,
  /** Values above the highest trackable one: they stand in the histogram as that value. */
  aboveHighest: counted,
  encoded: z.string(),
});
export type HistogramRecord = z.infer<typeof HistogramRecord>;

/** `<id>.builtin.json`: what the built-in generator counted in one run. The measurement follows from it alone. */
export const BuiltinRaw = z.strictObject({
  version: z.literal(1),
  generator: z.literal('builtin'),
  /** The run's id: a slice's or a warm-up's. */
  id: z.string(),
  url: z.string(),
  load: Load,
  check: CheckMode,
  /** ISO 8601, UTC, when the window opened. */
  startedAt: z.string(),
  windowMs: z.number().positive(),
  requests: counted,
  requestsOutsideWindow: counted,
  failedRequests: counted,
  /** In flight when the drain's limit cut them: in none of the counts above. */
  unfinishedRequests: counted,
  checks: z.record(z.string(), z.strictObject({ passed: counted, failed: counted })),
  cache: z.strictObject({ hit: counted, miss: counted, absent: counted }),
  bodyBytes: counted,
  connectionsOpened: counted,
  /** Over the whole run: lead-in, window and drain. */
  errors: ErrorCounts,
  failedCheckExamples: z.array(z.string()).max(5),
  /** Of the window's requests that got a whole response, whatever its status. */
  latency: HistogramRecord,
  timeToFirstByte: HistogramRecord,
});
export type BuiltinRaw = z.infer<typeof BuiltinRaw>;

/**
 * The histogram of a record, in microseconds. Plain JavaScript: WebAssembly need not be there.
 * @throws LabError BAD_RESULT_SET when the text is no histogram, or holds another number of values than the record says.
 */
export function decodeHistogram(record: HistogramRecord): Histogram {
  let histogram: Histogram;
  try {
    // 64-bit counts: a merge of many runs must not overflow.
    histogram = decodeFromCompressedBase64(record.encoded, 64, false);
  } catch (cause) {
    throw broken(`a latency histogram cannot be decoded: ${messageOf(cause)}`, cause);
  }
  if (histogram.totalCount !== record.count) {
    throw broken(`a latency histogram holds ${histogram.totalCount} values, its record says ${record.count}`);
  }
  return histogram;
}

/**
 * Mean, extremes and percentiles in milliseconds of all records together, as if one histogram had recorded every value.
 * Mean, min and max are exact; a percentile is the highest value that the histogram cannot tell from it, never above max.
 * All null without values.
 * @throws LabError BAD_RESULT_SET as decodeHistogram.
 */
export function mergeHistograms(records: readonly HistogramRecord[]): Percentiles {
  const filled = records.filter((record) => record.count > 0);
  const [first, ...others] = filled;
  if (first === undefined) return noPercentiles;
  const merged = decodeHistogram(first);
  for (const record of others) merged.add(decodeHistogram(record));
  const count = filled.reduce((total, record) => total + record.count, 0);
  const sum = filled.reduce((total, record) => total + record.sumMicros, 0);
  const min = Math.min(...filled.map((record) => record.minMicros ?? Infinity));
  const max = Math.max(...filled.map((record) => record.maxMicros ?? 0));
  const at = (percentile: number): number =>
    toMs(Math.max(min, Math.min(max, merged.getValueAtPercentile(percentile))));
  return {
    mean: toMs(sum / count),
    min: toMs(min),
    p50: at(50),
    p90: at(90),
    p95: at(95),
    p99: at(99),
    p999: at(99.9),
    max: toMs(max),
  };
}

function toMs(micros: number): number {
  return micros / 1000;
}

function broken(message: string, cause?: unknown): LabError {
  const hint = 'The raw file is damaged, or was written by another version: run the study again.';
  return new LabError('BAD_RESULT_SET', message, hint, { cause });
}
