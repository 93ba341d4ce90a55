import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type K6Summary, readSummary } from './summary.ts';

/** Recorded with k6 2.2.0: one run for both older shapes, a second one for the newer. */
function fixture(name: string): string {
  return readFileSync(join(import.meta.dirname, 'fixtures', `${name}.json`), 'utf8');
}

function crossed(summary: K6Summary): string[] {
  return (summary.thresholds ?? [])
    .filter((threshold) => threshold.crossed)
    .map(({ metric, expression }) => `${metric}: ${expression}`)
    .sort();
}

const duration = 'http_req_duration{scenario:load,expected_response:true}';
const checks = [
  { name: 'status is 200', passes: 298, fails: 27 },
  { name: 'body is the reference body', passes: 285, fails: 40 },
  { name: 'X-Cache is HIT', passes: 248, fails: 77 },
];
const bothCrossed = ['checks{scenario:load}: rate>0.99', 'http_req_failed{scenario:load}: rate<0.01'];

describe.each(['handle-summary', 'summary-export'] as const)('the %s shape', (shape) => {
  const summary = readSummary(fixture(shape));

  it('is detected', () => {
    expect(summary.shape).toBe(shape);
  });

  it('yields the same metrics as its sibling', () => {
    expect(summary.metrics.get('http_reqs')).toEqual({ type: 'counter', count: 326 });
    expect(summary.metrics.get('http_reqs{scenario:load}')).toEqual({ type: 'counter', count: 325 });
    expect(summary.metrics.get('http_req_failed{scenario:load}')).toEqual({ type: 'rate', trues: 27, total: 325 });
    expect(summary.metrics.get('window_opened_at')).toMatchObject({ type: 'gauge', min: 1796051017621 });
    expect(summary.metrics.get(duration)).toEqual({
      type: 'trend',
      stats: {
        mean: 6.279386597315433,
        min: 0.241663,
        p50: 6.2777365,
        p90: 7.612331,
        p95: 8.86035515,
        p99: 11.043539619999997,
        p999: 12.377738197000053,
        max: 12.880351,
      },
    });
  });

  it('yields the checks', () => {
    expect(summary.checks).toEqual(checks);
  });

  it('has the crossed thresholds, though the booleans of the two shapes are opposites', () => {
    expect(crossed(summary)).toEqual(bothCrossed);
    expect(summary.thresholds).toContainEqual({ metric: duration, expression: 'p(95)<500', crossed: false });
  });
});

describe('the machine-readable shape', () => {
  const summary = readSummary(fixture('machine-readable'));

  it('is detected, and has no thresholds rather than none crossed', () => {
    expect(summary.shape).toBe('machine-readable');
    expect(summary.thresholds).toBeNull();
  });

  it('yields metrics, with nulls for percentiles that it lacks', () => {
    expect(summary.metrics.get('http_reqs{scenario:load}')).toEqual({ type: 'counter', count: 312 });
    expect(summary.metrics.get('http_req_failed{scenario:load}')).toEqual({ type: 'rate', trues: 25, total: 312 });
    expect(summary.metrics.get(duration)).toMatchObject({
      type: 'trend',
      stats: { p50: 6.434911, p95: 8.415786699999998, p99: null, p999: null },
    });
  });

  it('yields the checks', () => {
    expect(summary.checks).toContainEqual({ name: 'X-Cache is HIT', passes: 248, fails: 64 });
  });

  it('is refused in a version that is not known', () => {
    const later = fixture('machine-readable').replace('"version": "1.0.0"', '"version": "2.0.0"');
    expect(() => readSummary(later)).toThrow('shape that loadlab does not know');
  });
});

describe('absent is not zero', () => {
  const noSamples = {
    p50: null,
    p90: null,
    p95: null,
    p99: null,
    p999: null,
    mean: null,
    min: null,
    max: null,
  };

  it.each(['handle-summary', 'summary-export', 'machine-readable'])(
    '%s: a trend without samples has no figures',
    (name) => {
      const [zeros, nulls] = [
        { count: 0, avg: 0, min: 0, med: 0, max: 0, 'p(50)': 0, 'p(95)': 0 },
        { avg: null, min: null, med: null, max: 0, p90: null, p95: null },
      ];
      const data: unknown = {
        'handle-summary': {
          metrics: { t: { type: 'trend', contains: 'time', values: zeros } },
          root_group: { checks: [] },
          state: { testRunDurationMs: 1 },
        },
        'summary-export': { metrics: { t: zeros }, root_group: { checks: {} } },
        'machine-readable': {
          results: {
            metrics: [{ name: 't', type: 'trend', contains: 'time', values: nulls }],
            checks: { results: [] },
          },
          version: '1.0.0',
        },
      }[name];
      const summary = readSummary(JSON.stringify(data));
      expect(summary.shape).toBe(name);
      expect(summary.metrics.get('t')).toEqual({ type: 'trend', stats: noSamples });
    },
  );
});

describe('unknown text', () => {
  it.each(['', '{"metrics":', '<html>'])('%j is not JSON', (text) => {
    expect(() => readSummary(text)).toThrow("k6's summary is not JSON");
  });

  it.each(['{}', '[]', 'null', '{"metrics":{}}', '{"metrics":[],"root_group":{"checks":[]},"state":{}}'])(
    '%s has an unknown shape',
    (text) => {
      expect(() => readSummary(text)).toThrow('shape that loadlab does not know');
    },
  );

  it('names the value that a metric lacks', () => {
    const text = fixture('handle-summary').replace(/"http_reqs": \{[^}]*\{\s*"count": 326,/, (found) =>
      found.replace('"count": 326,', ''),
    );
    expect(() => readSummary(text)).toThrow('http_reqs has no count');
  });
});
