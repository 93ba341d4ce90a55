import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { decodeFromCompressedBase64 } from 'hdr-histogram-js';
import stringWidth from 'string-width';
import { beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '../../lab/contract/root.ts';
import type { ResultSet, Summary } from '../../lab/model/result.ts';
import { loadlab, onlySet, resultsFolder, small } from './loadlab.ts';

const json = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));

describe('a small study with the built-in generator', () => {
  const out = resultsFolder();
  let printed = '';
  let folder = '';
  let set: ResultSet;

  beforeAll(async () => {
    const run = await loadlab(['bench', ...small, '--generator', 'builtin', '--out', out]);
    printed = run.all;
    expect(run.exitCode, printed).toBe(0);
    folder = onlySet(out);
    set = json(folder, 'result.json') as ResultSet;
  });

  test('the result validates against its published schema, by a validator that the lab does not use', () => {
    const validate = new Ajv2020({ strict: true, allErrors: true }).compile(
      json(repositoryRoot, 'contract/result-set.schema.json') as object,
    );
    validate(set);
    expect(validate.errors).toBeNull();
  });

  test('all eight cells were measured, all requests answered, all checks passed, nothing crossed', () => {
    expect(set.status).toBe('complete');
    expect(set.summaries).toHaveLength(8);
    expect(set.parity.map(({ endpoint, passed }) => [endpoint, passed])).toEqual([
      ['hello', true],
      ['products', true],
      ['products-where-like', true],
      ['products-with-cache', true],
    ]);
    for (const summary of set.summaries) {
      expect(summary.requests).toBeGreaterThan(0);
      expect(summary.failedRequests).toBe(0);
      expect(summary.checksFailed).toBe(0);
      expect(summary.verdicts.throughput.state).toBe('valid');
    }
    expect(set.headline.runs).toBe(16);
  });

  test('the summaries follow from the raw files: counts, rates, bytes, percentiles', () => {
    for (const summary of set.summaries) expect(recomputed(summary, set, folder)).toEqual(figuresOf(summary));
  });

  test('CPU was sampled for every component that a cell uses, and the generator has a share', () => {
    for (const { cpuMsPerRequest, generatorShare } of set.summaries) {
      expect(Object.keys(cpuMsPerRequest).sort()).toEqual(['api', 'generator', 'postgres', 'redis']);
      if (process.platform !== 'linux') continue;
      expect(cpuMsPerRequest.api).toBeGreaterThan(0);
      expect(generatorShare).toBeGreaterThan(0);
      expect(generatorShare).toBeLessThan(1);
    }
  });

  test('database and cache tell the same story as the responses', () => {
    for (const { slice, measurement, work } of set.slices) {
      const requests = measurement!.requests + measurement!.requestsOutsideWindow;
      const { vus } = slice.cell.load;
      const calls = work!.queryCalls['sql/products.sql']!;
      const like = work!.queryCalls['sql/products-where-like.sql']!;
      const isProducts = slice.cell.endpoint === 'products';
      expect(Math.abs(calls - (isProducts ? requests : 0))).toBeLessThanOrEqual(vus);
      expect(Math.abs(like - (slice.cell.endpoint === 'products-where-like' ? requests : 0))).toBeLessThanOrEqual(vus);
      expect(Math.abs(work!.keyspaceHits! - measurement!.cache.hit)).toBeLessThanOrEqual(vus);
    }
  });

  test('with two rounds there is no interval, and nothing is ranked', () => {
    expect(set.comparisons).toHaveLength(4);
    for (const comparison of set.comparisons)
      expect(comparison).toMatchObject({ interval: null, outcome: 'no-interval' });
  });

  test('the printed table keeps to 80 columns and has a row for each endpoint', () => {
    const table = printed.slice(printed.indexOf('Throughput'));
    for (const { endpoint } of set.comparisons) expect(table).toMatch(new RegExp(`^${endpoint} +5 `, 'm'));
    for (const line of table.split('\n').filter((text) => !text.includes(out))) {
      expect(stringWidth(line), line).toBeLessThanOrEqual(80);
    }
  });

  test('review prints the same report from the saved files alone', async () => {
    const review = await loadlab(['review', folder]);
    expect(review.exitCode).toBe(0);
    expect(printed).toContain(review.stdout.slice(0, review.stdout.indexOf('\nNext\n')));
  });

  test('a set without result.json, as a killed lab leaves it, is still shown, as partial', async () => {
    const { rm } = await import('node:fs/promises');
    await rm(join(folder, 'result.json'));
    const review = await loadlab(['review', folder]);
    expect(review.exitCode).toBe(0);
    expect(review.stdout).toContain('PARTIAL SET');
    expect(review.stdout).toMatch(/^hello +5 /m);
  });
});

type Figures = ReturnType<typeof figuresOf>;

function figuresOf(summary: Summary) {
  return {
    requests: summary.requests,
    failedRequests: summary.failedRequests,
    mean: summary.requestsPerSecond.mean?.toFixed(6),
    bytesPerResponse: summary.bytesPerResponse?.toFixed(6),
    latencyMean: summary.latencyMs.mean?.toFixed(6),
    p50: summary.latencyMs.p50?.toFixed(3),
    p95: summary.latencyMs.p95?.toFixed(3),
    p99: summary.latencyMs.p99?.toFixed(3),
    max: summary.latencyMs.max?.toFixed(3),
  };
}

interface Raw {
  windowMs: number;
  requests: number;
  failedRequests: number;
  bodyBytes: number;
  latency: { encoded: string; count: number; sumMicros: number; minMicros: number; maxMicros: number };
}

/** The same figures with nothing of the lab: the raw files, the histogram library, and arithmetic. */
function recomputed({ cell }: Summary, set: ResultSet, folder: string): Figures {
  const raws = set.slices
    .filter(({ slice }) => JSON.stringify(slice.cell) === JSON.stringify(cell))
    .map(({ measurement }) => json(folder, measurement!.raw) as Raw);
  const sum = (of: (raw: Raw) => number): number => raws.reduce((total, raw) => total + of(raw), 0);
  const [first, ...others] = raws.map((raw) => decodeFromCompressedBase64(raw.latency.encoded, 64, false));
  for (const other of others) first!.add(other);
  const longest = Math.max(...raws.map((raw) => raw.latency.maxMicros));
  const at = (percentile: number): string =>
    (Math.min(first!.getValueAtPercentile(percentile), longest) / 1000).toFixed(3);
  return {
    requests: sum((raw) => raw.requests),
    failedRequests: sum((raw) => raw.failedRequests),
    mean: ((sum((raw) => raw.requests) / sum((raw) => raw.windowMs)) * 1000).toFixed(6),
    bytesPerResponse: (sum((raw) => raw.bodyBytes) / sum((raw) => raw.requests)).toFixed(6),
    latencyMean: (sum((raw) => raw.latency.sumMicros) / sum((raw) => raw.latency.count) / 1000).toFixed(6),
    p50: at(50),
    p95: at(95),
    p99: at(99),
    max: (longest / 1000).toFixed(3),
  };
}
