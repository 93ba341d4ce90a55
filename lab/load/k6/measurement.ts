import { LabError } from '../../model/errors.ts';
import { noPercentiles, type ErrorCounts, type Measurement, type Percentiles } from '../../model/measurement.ts';
import type { LogFindings } from './log.ts';
import type { K6Summary } from './summary.ts';

/** What a summary does not say about its run. */
export interface RunContext {
  /** The window as asked for, in milliseconds. */
  readonly durationMs: number;
  /** When k6 was started, in case that the summary does not say when the window opened. */
  readonly spawnedAt: Date;
  /** Whether the script counted responses without X-Cache by itself. */
  readonly endpointHasCache: boolean;
  readonly exitCode: number;
  /** File of the summary, relative to the set's folder. */
  readonly raw: string;
  readonly log: LogFindings;
}

/** The names that k6/lib gives: the window's part of a metric, and of it the part with status 200. */
const inWindow = (metric: string): string => `${metric}{scenario:load}`;
const goodInWindow = (metric: string): string => `${metric}{scenario:load,expected_response:true}`;

const phases = ['blocked', 'connecting', 'sending', 'waiting', 'receiving'] as const;
const failurePrefix = 'failed_';
const statusPrefix = 'status ';

function missing(metric: string, type: string): LabError {
  return new LabError(
    'GENERATOR_FAILED',
    `k6's summary has no ${type} ${metric}`,
    'the scenario must keep the thresholds of k6/lib/options.ts: they bring the metric into the summary',
  );
}

/** A counter that k6 leaves out of the summary as long as nothing was added to it. */
function optionalCount(summary: K6Summary, metric: string): number {
  const found = summary.metrics.get(metric);
  return found?.type === 'counter' ? found.count : 0;
}

function count(summary: K6Summary, metric: string): number {
  const found = summary.metrics.get(metric);
  if (found?.type !== 'counter') throw missing(metric, 'counter');
  return found.count;
}

function trues(summary: K6Summary, metric: string): number {
  const found = summary.metrics.get(metric);
  if (found?.type !== 'rate') throw missing(metric, 'rate');
  return found.trues;
}

/** A trend's figures; nulls where the summary leaves the metric out, as its machine-readable shape does with phases. */
function percentiles(summary: K6Summary, metric: string): Percentiles {
  const found = summary.metrics.get(metric);
  return found?.type === 'trend' ? found.stats : noPercentiles;
}

function gaugeMin(summary: K6Summary, metric: string): number | null {
  const found = summary.metrics.get(metric);
  return found?.type === 'gauge' ? found.min : null;
}

function errorCounts(summary: K6Summary, log: LogFindings): ErrorCounts {
  const errors: ErrorCounts = {};
  for (const [name, metric] of summary.metrics) {
    if (!name.startsWith(failurePrefix) || metric.type !== 'counter' || metric.count === 0) continue;
    const kind = name.slice(failurePrefix.length).replace(/_/g, ' ');
    errors[kind] = { count: metric.count, example: log.requestExamples.get(kind) ?? 'no example was logged' };
  }
  return errors;
}

function cacheCounts(summary: K6Summary, errors: ErrorCounts, endpointHasCache: boolean): Measurement['cache'] {
  const hit = optionalCount(summary, 'cache_hit');
  const miss = optionalCount(summary, 'cache_miss');
  if (endpointHasCache) return { hit, miss, absent: optionalCount(summary, 'cache_absent') };
  const unanswered = Object.entries(errors)
    .filter(([kind]) => !kind.startsWith(statusPrefix))
    .reduce((sum, [, error]) => sum + error.count, 0);
  return { hit, miss, absent: Math.max(0, count(summary, 'http_reqs') - unanswered - hit - miss) };
}

/** Logged reasons of checks that did fail: a request that was cut off by the end of the run may be logged, but does not count. */
function failedCheckExamples(summary: K6Summary, log: LogFindings): string[] {
  const failed = summary.checks.filter(({ fails }) => fails > 0).map(({ name }) => `${name}: `);
  return log.failedChecks.filter((line) => failed.some((prefix) => line.startsWith(prefix)));
}

/**
 * Turns a summary into a measurement; pure. Counts and timings are those of the window; setup() is outside it. Timings are
 * those of responses with status 200 (k6 counts a refused connection as one that took 0 ms), so they are null without any.
 * Throws LabError GENERATOR_FAILED when the summary lacks a metric that every run of k6/scenarios has.
 */
export function toMeasurement(summary: K6Summary, context: RunContext): Measurement {
  const opened = gaugeMin(summary, 'window_opened_at');
  const closed = gaugeMin(summary, 'window_closed_at');
  const windowMs = opened !== null && closed !== null && closed > opened ? closed - opened : context.durationMs;
  const requests = count(summary, inWindow('http_reqs'));
  const errors = errorCounts(summary, context.log);
  return {
    startedAt: (opened === null ? context.spawnedAt : new Date(opened)).toISOString(),
    windowMs,
    requests,
    requestsOutsideWindow: count(summary, 'http_reqs') - requests,
    requestsPerSecond: (requests * 1000) / windowMs,
    failedRequests: trues(summary, inWindow('http_req_failed')),
    // gracefulStop is 0s: what is in flight when the window ends is cut by design, and says nothing about the stack.
    unfinishedRequests: 0,
    checks: Object.fromEntries(
      summary.checks.map(({ name, passes, fails }) => [name, { passed: passes, failed: fails }]),
    ),
    cache: cacheCounts(summary, errors, context.endpointHasCache),
    bytesReceived: count(summary, inWindow('data_received')),
    bytesInclude: 'bodies-and-headers',
    connectionsOpened: null,
    latencyMs: percentiles(summary, goodInWindow('http_req_duration')),
    timeToFirstByteMs: percentiles(summary, goodInWindow('http_req_waiting')),
    phasesMs: Object.fromEntries(
      phases.map((phase) => [phase, percentiles(summary, goodInWindow(`http_req_${phase}`))]),
    ),
    errors,
    failedCheckExamples: failedCheckExamples(summary, context.log),
    exitCode: context.exitCode,
    raw: context.raw,
  };
}
