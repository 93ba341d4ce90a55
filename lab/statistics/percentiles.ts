import { noPercentiles, type Measurement, type Percentiles } from '../model/measurement.ts';
import type { Summary } from '../model/result.ts';
import { maximum, median, minimum } from './order-statistics.ts';

/** Percentiles of a cell's histograms, merged over its rounds. They are read from raw files, so the caller brings them. */
export interface MergedPercentiles {
  readonly latencyMs: Percentiles;
  readonly timeToFirstByteMs: Percentiles;
}

/**
 * A cell's latency figures. Percentiles are never averaged: they come from histograms merged over the rounds, or else each is the
 * median of that percentile over the rounds, and the set says which. Where histograms ought to be merged and cannot be read, there are
 * none: figures of another kind would stand beside those of the other cells as if they were alike.
 */
export function cellPercentiles(
  measurements: readonly Measurement[],
  merged: MergedPercentiles | 'unreadable' | null,
): Pick<Summary, 'latencyMs' | 'timeToFirstByteMs' | 'percentilesFrom'> {
  const measured = measurements.filter((measurement) => measurement.requests > 0);
  if (measured.length === 0 || merged === 'unreadable') {
    return { latencyMs: noPercentiles, timeToFirstByteMs: noPercentiles, percentilesFrom: null };
  }
  if (merged !== null) {
    const { latencyMs, timeToFirstByteMs } = merged;
    return { latencyMs, timeToFirstByteMs, percentilesFrom: 'merged-histograms' };
  }
  return {
    latencyMs: overRounds(measured, (measurement) => measurement.latencyMs),
    timeToFirstByteMs: overRounds(measured, (measurement) => measurement.timeToFirstByteMs),
    percentilesFrom: measured.length === 1 ? 'one-round' : 'median-of-rounds',
  };
}

/** Extremes stay extremes, the mean is weighted by requests, and a percentile is the median over the rounds that have it. */
function overRounds(measured: readonly Measurement[], of: (measurement: Measurement) => Percentiles): Percentiles {
  const each = (key: keyof Percentiles): number[] =>
    measured.map((measurement) => of(measurement)[key]).filter((value) => value !== null);
  return {
    mean: weightedMean(measured, of),
    min: minimum(each('min')),
    p50: median(each('p50')),
    p90: median(each('p90')),
    p95: median(each('p95')),
    p99: median(each('p99')),
    p999: median(each('p999')),
    max: maximum(each('max')),
  };
}

function weightedMean(measured: readonly Measurement[], of: (measurement: Measurement) => Percentiles): number | null {
  let requests = 0;
  let total = 0;
  for (const measurement of measured) {
    const { mean } = of(measurement);
    if (mean === null) continue;
    requests += measurement.requests;
    total += mean * measurement.requests;
  }
  return requests === 0 ? null : total / requests;
}
