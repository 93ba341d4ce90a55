import { recordsOfCell } from '../model/cells.ts';
import type { ErrorCounts, Measurement, SliceRecord } from '../model/measurement.ts';
import type { Cell } from '../model/plan.ts';
import type { SummaryFigures } from '../model/result.ts';
import { coefficientOfVariation, maximum, minimum } from './order-statistics.ts';
import { cellPercentiles, type MergedPercentiles } from './percentiles.ts';
import { measuredSlices, resourceFigures, type MeasuredSlice } from './resources.ts';

/** As many examples as a measurement keeps; more say nothing new. */
const maxFailedCheckExamples = 5;

/**
 * A cell's statistics over its rounds, before any rule has judged them.
 *
 * @param records slices of any cells; those of `cell` are taken
 * @param plannedRounds the plan's rounds
 * @param merged percentiles of the merged histograms; null where there are none (k6), `unreadable` where a raw file is damaged
 */
export function summarise(
  cell: Cell,
  records: readonly SliceRecord[],
  plannedRounds: number,
  merged: MergedPercentiles | 'unreadable' | null,
): SummaryFigures {
  const slices = measuredSlices(recordsOfCell(cell, records));
  const measurements = slices.map(({ measurement }) => measurement);
  const total = (of: (measurement: Measurement) => number): number =>
    measurements.reduce((sum, measurement) => sum + of(measurement), 0);
  const requests = total((measurement) => measurement.requests);
  const failedRequests = total((measurement) => measurement.failedRequests);
  const checks = countChecks(measurements);
  return {
    cell,
    rounds: slices.length,
    plannedRounds,
    requests,
    failedRequests,
    unfinishedRequests: total((measurement) => measurement.unfinishedRequests),
    failedRate: fraction(failedRequests, requests),
    checksPassed: checks.passed,
    checksFailed: checks.failed,
    checksRate: fraction(checks.passed, checks.passed + checks.failed),
    requestsPerSecond: rates(slices),
    ...cellPercentiles(measurements, merged),
    bytesPerResponse: fraction(
      total((measurement) => measurement.bytesReceived),
      requests,
    ),
    errors: mergeErrors(measurements),
    failedCheckExamples: [...new Set(measurements.flatMap((measurement) => measurement.failedCheckExamples))].slice(
      0,
      maxFailedCheckExamples,
    ),
    ...resourceFigures(cell, slices),
  };
}

/** Requests per second: the mean is all requests over all window time, so that a longer window weighs more. */
function rates(slices: readonly MeasuredSlice[]): SummaryFigures['requestsPerSecond'] {
  const perRound = slices.map(({ slice, measurement }) => ({
    round: slice.round,
    generation: slice.generation,
    value: (measurement.requests / measurement.windowMs) * 1000,
  }));
  const values = perRound.map(({ value }) => value);
  const requests = slices.reduce((sum, { measurement }) => sum + measurement.requests, 0);
  const windowMs = slices.reduce((sum, { measurement }) => sum + measurement.windowMs, 0);
  return {
    mean: windowMs === 0 ? null : (requests / windowMs) * 1000,
    min: minimum(values),
    max: maximum(values),
    coefficientOfVariation: coefficientOfVariation(values),
    perRound,
  };
}

function countChecks(measurements: readonly Measurement[]): { passed: number; failed: number } {
  const all = measurements.flatMap((measurement) => Object.values(measurement.checks));
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/** Counts add up; the first example of a kind stays. */
function mergeErrors(measurements: readonly Measurement[]): ErrorCounts {
  const merged = new Map<string, { count: number; example: string }>();
  for (const [kind, { count, example }] of measurements.flatMap(({ errors }) => Object.entries(errors))) {
    const known = merged.get(kind);
    merged.set(kind, { count: count + (known?.count ?? 0), example: known?.example ?? example });
  }
  return Object.fromEntries(merged);
}

/** part / whole; null where there is no whole. */
function fraction(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
