/**
 * Reads k6's end-of-test summary, whichever of its three shapes it has, into one structure. The shapes differ in more than
 * names: a threshold's boolean says `ok` in one and "crossed" in another, and the newest has no thresholds at all.
 */
import { z } from 'zod';
import { LabError } from '../../model/errors.ts';
import type { Percentiles } from '../../model/measurement.ts';

export type K6Metric =
  | { readonly type: 'counter'; readonly count: number }
  /** `trues` of `total` samples were true. */
  | { readonly type: 'rate'; readonly trues: number; readonly total: number }
  | { readonly type: 'gauge'; readonly min: number; readonly max: number }
  /** Milliseconds; all null without samples. */
  | { readonly type: 'trend'; readonly stats: Percentiles };

export interface K6Summary {
  readonly shape: 'handle-summary' | 'summary-export' | 'machine-readable';
  readonly metrics: ReadonlyMap<string, K6Metric>;
  readonly checks: readonly { readonly name: string; readonly passes: number; readonly fails: number }[];
  /** null: this shape does not hold any. */
  readonly thresholds: readonly K6Threshold[] | null;
}

export interface K6Threshold {
  readonly metric: string;
  readonly expression: string;
  readonly crossed: boolean;
}

const values = z.record(z.string(), z.number().nullable());
type Values = z.infer<typeof values>;
const check = z.object({ name: z.string(), passes: z.int(), fails: z.int() });

/** What a script's handleSummary() gets. */
const HandleSummary = z.object({
  metrics: z.record(
    z.string(),
    z.object({
      type: z.enum(['counter', 'rate', 'gauge', 'trend']),
      values,
      thresholds: z.record(z.string(), z.object({ ok: z.boolean() })).optional(),
    }),
  ),
  root_group: z.object({ checks: z.array(check) }),
  state: z.object({ testRunDurationMs: z.number() }),
});

/** What `--summary-export` writes: values beside `thresholds`, and no types. */
const SummaryExport = z.object({
  metrics: z.record(
    z.string(),
    z.intersection(
      z.object({ thresholds: z.record(z.string(), z.boolean()).optional() }),
      z.record(z.string(), z.unknown()),
    ),
  ),
  root_group: z.object({ checks: z.record(z.string(), check) }),
});

/** What both are with `--new-machine-readable-summary`. */
const MachineReadable = z.object({
  results: z.object({
    metrics: z.array(z.object({ name: z.string(), type: z.enum(['counter', 'rate', 'gauge', 'trend']), values })),
    checks: z.object({ results: z.array(check) }),
  }),
  version: z.string().regex(/^1\./, 'a version of this shape that is known'),
});

function required(all: Values, key: string, metric: string): number {
  const value = all[key];
  if (typeof value !== 'number') {
    throw new LabError('GENERATOR_FAILED', `k6's summary: ${metric} has no ${key}`, 'was the summary cut or edited?');
  }
  return value;
}

/** k6 prints zeros for a trend without samples (or null, in the newest shape): those are no figures. */
function trendStats(all: Values): Percentiles {
  const empty = all.count === 0 || typeof all.avg !== 'number';
  const figure = (...keys: string[]): number | null => {
    const key = keys.find((candidate) => typeof all[candidate] === 'number');
    return empty || key === undefined ? null : (all[key] ?? null);
  };
  return {
    mean: figure('avg'),
    min: figure('min'),
    p50: figure('p(50)', 'med'),
    p90: figure('p(90)', 'p90'),
    p95: figure('p(95)', 'p95'),
    p99: figure('p(99)', 'p99'),
    p999: figure('p(99.9)', 'p99.9'),
    max: figure('max'),
  };
}

function toMetric(name: string, type: K6Metric['type'], all: Values): K6Metric {
  switch (type) {
    case 'counter':
      return { type, count: required(all, 'count', name) };
    case 'rate':
      return typeof all.matches === 'number'
        ? { type, trues: all.matches, total: required(all, 'total', name) }
        : {
            type,
            trues: required(all, 'passes', name),
            total: required(all, 'passes', name) + required(all, 'fails', name),
          };
    case 'gauge':
      return { type, min: required(all, 'min', name), max: required(all, 'max', name) };
    case 'trend':
      return { type, stats: trendStats(all) };
  }
}

function fromHandleSummary(data: z.infer<typeof HandleSummary>): K6Summary {
  const entries = Object.entries(data.metrics);
  return {
    shape: 'handle-summary',
    metrics: new Map(entries.map(([name, metric]) => [name, toMetric(name, metric.type, metric.values)])),
    checks: data.root_group.checks,
    thresholds: entries.flatMap(([metric, { thresholds = {} }]) =>
      Object.entries(thresholds).map(([expression, { ok }]) => ({ metric, expression, crossed: !ok })),
    ),
  };
}

/** The type that a metric's keys give away. */
function typeOf(all: Values): K6Metric['type'] {
  if ('passes' in all) return 'rate';
  if ('avg' in all) return 'trend';
  return 'count' in all ? 'counter' : 'gauge';
}

function fromSummaryExport(data: z.infer<typeof SummaryExport>): K6Summary {
  const entries = Object.entries(data.metrics).map(([name, { thresholds = {}, ...rest }]) => {
    const all = values.parse(rest);
    return { name, thresholds, metric: toMetric(name, typeOf(all), all) };
  });
  return {
    shape: 'summary-export',
    metrics: new Map(entries.map(({ name, metric }) => [name, metric])),
    checks: Object.values(data.root_group.checks),
    // Here true means that the threshold was crossed.
    thresholds: entries.flatMap(({ name, thresholds }) =>
      Object.entries(thresholds).map(([expression, crossed]) => ({ metric: name, expression, crossed })),
    ),
  };
}

function fromMachineReadable(data: z.infer<typeof MachineReadable>): K6Summary {
  return {
    shape: 'machine-readable',
    metrics: new Map(data.results.metrics.map(({ name, type, values: all }) => [name, toMetric(name, type, all)])),
    checks: data.results.checks.results,
    thresholds: null,
  };
}

/** Detects the shape and reads it. Throws LabError GENERATOR_FAILED for text that is none of the three. */
export function readSummary(text: string): K6Summary {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new LabError('GENERATOR_FAILED', "k6's summary is not JSON", 'was the summary cut or edited?', {
      cause: error,
    });
  }
  const machineReadable = MachineReadable.safeParse(data);
  if (machineReadable.success) return fromMachineReadable(machineReadable.data);
  const handleSummary = HandleSummary.safeParse(data);
  if (handleSummary.success) return fromHandleSummary(handleSummary.data);
  const summaryExport = SummaryExport.safeParse(data);
  if (summaryExport.success) return fromSummaryExport(summaryExport.data);
  throw new LabError(
    'GENERATOR_FAILED',
    "k6's summary has a shape that loadlab does not know",
    'a newer k6 may have changed it: use an older one, or --generator builtin, and report this',
  );
}
