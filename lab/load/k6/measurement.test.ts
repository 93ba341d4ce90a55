import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Measurement } from '../../model/measurement.ts';
import type { LogFindings } from './log.ts';
import { type RunContext, toMeasurement } from './measurement.ts';
import { type K6Metric, type K6Summary, readSummary } from './summary.ts';

const log: LogFindings = {
  requestExamples: new Map([['status 500', '500 Internal Server Error']]),
  failedChecks: ['X-Cache is HIT: X-Cache is MISS'],
  scriptErrors: [],
  tail: [],
};
const context: RunContext = {
  durationMs: 1000,
  spawnedAt: new Date('2026-11-30T15:00:00Z'),
  endpointHasCache: true,
  exitCode: 99,
  raw: 'raw/a.k6.json',
  log,
};

function recorded(name: string): K6Summary {
  return readSummary(readFileSync(join(import.meta.dirname, 'fixtures', `${name}.json`), 'utf8'));
}

function changed(summary: K6Summary, changes: Record<string, K6Metric | null>): K6Summary {
  const metrics = new Map(summary.metrics);
  for (const [name, metric] of Object.entries(changes)) {
    if (metric === null) metrics.delete(name);
    else metrics.set(name, metric);
  }
  return { ...summary, metrics };
}

describe('toMeasurement', () => {
  const measurement = toMeasurement(recorded('handle-summary'), context);

  it('keeps the schema', () => {
    expect(Measurement.parse(measurement)).toEqual(measurement);
  });

  it('has the figures of the window, without setup()', () => {
    // Read by eye in the recorded file: 326 requests, one of them setup()'s, whose 24.996 ms is the longest of all.
    expect(measurement).toMatchObject({
      startedAt: '2026-11-30T15:03:37.621Z',
      windowMs: 1000,
      requests: 325,
      requestsOutsideWindow: 1,
      requestsPerSecond: 325,
      failedRequests: 27,
      unfinishedRequests: 0,
      bytesReceived: 1744552,
      bytesInclude: 'bodies-and-headers',
      connectionsOpened: null,
      exitCode: 99,
      raw: 'raw/a.k6.json',
    });
    expect(measurement.latencyMs).toMatchObject({ p50: 6.2777365, p95: 8.86035515, max: 12.880351 });
    expect(measurement.timeToFirstByteMs).toMatchObject({ p50: 6.106596, max: 12.603592 });
    expect(Object.keys(measurement.phasesMs ?? {})).toEqual([
      'blocked',
      'connecting',
      'sending',
      'waiting',
      'receiving',
    ]);
    expect(measurement.phasesMs?.connecting).toMatchObject({ p99: 0, max: 1.082738 });
  });

  it('has checks by name, errors by kind, X-Cache over the whole run, and examples', () => {
    expect(measurement.checks).toEqual({
      'status is 200': { passed: 298, failed: 27 },
      'body is the reference body': { passed: 285, failed: 40 },
      'X-Cache is HIT': { passed: 248, failed: 77 },
    });
    expect(measurement.errors).toEqual({ 'status 500': { count: 27, example: '500 Internal Server Error' } });
    expect(measurement.cache).toEqual({ hit: 249, miss: 50, absent: 27 });
    expect(measurement.failedCheckExamples).toEqual(['X-Cache is HIT: X-Cache is MISS']);
  });

  it('is the same from the summary that k6 exported of the same run', () => {
    expect(toMeasurement(recorded('summary-export'), context)).toEqual(measurement);
  });

  it('has nulls where the machine-readable shape says nothing', () => {
    const other = toMeasurement(recorded('machine-readable'), context);
    expect(Measurement.parse(other)).toEqual(other);
    expect(other).toMatchObject({ requests: 312, requestsOutsideWindow: 1, failedRequests: 25 });
    expect(other.latencyMs).toMatchObject({ p95: 8.415786699999998, p99: null });
    expect(other.timeToFirstByteMs.p50).toBeNull();
  });

  it('without requests is a measurement with null percentiles', () => {
    const empty = {
      type: 'trend',
      stats: { mean: null, min: null, p50: null, p90: null, p95: null, p99: null, p999: null, max: null },
    } as const;
    const none = toMeasurement(
      changed(recorded('handle-summary'), {
        http_reqs: { type: 'counter', count: 0 },
        'http_reqs{scenario:load}': { type: 'counter', count: 0 },
        'http_req_failed{scenario:load}': { type: 'rate', trues: 0, total: 0 },
        'http_req_duration{scenario:load,expected_response:true}': empty,
      }),
      context,
    );
    expect(Measurement.parse(none)).toEqual(none);
    expect(none).toMatchObject({ requests: 0, requestsPerSecond: 0, latencyMs: empty.stats });
  });

  it('uses the real window of a run that ended early', () => {
    const early = toMeasurement(
      changed(recorded('handle-summary'), {
        window_closed_at: { type: 'gauge', min: 1796051017621 + 500, max: 1796051017621 + 500 },
      }),
      context,
    );
    expect(early).toMatchObject({ windowMs: 500, requestsPerSecond: 650 });
  });

  it('has no examples for checks that never failed: those are of requests that were cut off', () => {
    const checks = [{ name: 'X-Cache is HIT', passes: 248, fails: 0 }];
    expect(toMeasurement({ ...recorded('handle-summary'), checks }, context).failedCheckExamples).toEqual([]);
  });

  it('counts every response without the header where the endpoint has no cache', () => {
    const plain = changed(recorded('handle-summary'), {
      cache_hit: null,
      cache_miss: null,
      cache_absent: null,
      failed_ECONNRESET: { type: 'counter', count: 6 },
    });
    const { cache, errors } = toMeasurement(plain, { ...context, endpointHasCache: false });
    expect(cache).toEqual({ hit: 0, miss: 0, absent: 320 });
    expect(errors.ECONNRESET).toEqual({ count: 6, example: 'no example was logged' });
  });

  it.each(['http_reqs', 'http_reqs{scenario:load}', 'http_req_failed{scenario:load}', 'data_received{scenario:load}'])(
    'refuses a summary without %s rather than taking it for zero',
    (name) => {
      expect(() => toMeasurement(changed(recorded('handle-summary'), { [name]: null }), context)).toThrow(name);
    },
  );
});
