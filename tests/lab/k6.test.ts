import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { ResultSet, Summary } from '../../lab/model/result.ts';
import { copyOfClone, dataFolder, loadlab, onlySet, processesIn, resultsFolder } from './loadlab.ts';

const k6IsHere = (await execa('k6', ['version'], { reject: false })).exitCode === 0;

describe('a small study with k6', () => {
  const out = resultsFolder();
  let set: ResultSet;

  beforeAll(async () => {
    if (!k6IsHere) return;
    const run = await loadlab([
      ...['bench', '--generator', 'k6', '--check', 'json', '--endpoints', 'hello,products-with-cache'],
      ...['--vus', '5', '--duration', '1s', '--rounds', '1', '--seed', '1', '--out', out],
    ]);
    expect(run.exitCode, run.all).toBe(0);
    set = JSON.parse(readFileSync(join(onlySet(out), 'result.json'), 'utf8')) as ResultSet;
  });

  test('every cell was measured, with its phases, and k6’s own CPU was counted', (context) => {
    if (!k6IsHere) context.skip('k6 is not on PATH');
    expect(set.provenance.generator).toMatchObject({ name: 'k6', check: 'json' });
    expect(set.summaries).toHaveLength(4);
    for (const { requests, failedRequests, checksRate, percentilesFrom } of set.summaries) {
      expect(requests).toBeGreaterThan(0);
      expect(failedRequests).toBe(0);
      expect(checksRate).toBe(1);
      expect(percentilesFrom).toBe('one-round');
    }
    for (const { measurement, sample } of set.slices) {
      expect(measurement?.phasesMs).toHaveProperty('waiting');
      if (process.platform === 'linux') expect(sample?.components.generator?.cpuUserMs).toBeGreaterThan(0);
    }
  });

  test('the raw summary of every run is kept', (context) => {
    if (!k6IsHere) context.skip('k6 is not on PATH');
    const folder = onlySet(out);
    for (const { measurement } of set.slices) {
      expect(JSON.parse(readFileSync(join(folder, measurement!.raw), 'utf8'))).toHaveProperty('metrics');
    }
  });

  test('the summaries follow from the raw files: counts, rates, bytes, checks, percentiles', (context) => {
    if (!k6IsHere) context.skip('k6 is not on PATH');
    for (const summary of set.summaries) {
      const slice = set.slices.find(({ slice: { cell } }) => JSON.stringify(cell) === JSON.stringify(summary.cell));
      const raw = join(onlySet(out), slice!.measurement!.raw);
      expect(figuresOf(summary)).toEqual(recomputed(raw, slice!.slice.durationMs));
    }
  });
});

test.runIf(process.platform === 'linux')(
  'SIGKILL of the lab: k6 ends too, long before its load is over, and its folder is removed',
  async (context) => {
    if (!k6IsHere) context.skip('k6 is not on PATH');
    const [root, dataDir] = [copyOfClone(), dataFolder()];
    const options = '--generator k6 --endpoints hello --vus 2 --duration 300s --rounds 1'.split(' ');
    const run = loadlab(['bench', ...options, '--out', resultsFolder()], { root, dataDir });
    onTestFinished(() => void run.kill('SIGKILL'));
    const k6 = (): string[] => processesIn([root]).filter((line) => line.includes('DURATION=300000ms'));
    await expect.poll(k6, { timeout: 120_000 }).toHaveLength(1);
    expect(k6Folders()).toHaveLength(1);
    run.kill('SIGKILL');
    await run;
    await expect.poll(() => processesIn([root, dataDir]), { timeout: 30_000 }).toEqual([]);
    await expect.poll(k6Folders, { timeout: 10_000 }).toEqual([]);
  },
);

/** Where k6 processes work: their reference body, and what k6 itself stores. */
function k6Folders(): string[] {
  return readdirSync(tmpdir()).filter((name) => /^loadlab-k6-[^-]+$/.test(name));
}

/** The figures of a summary that k6's own summary holds. */
function figuresOf(summary: Summary) {
  const { requests, failedRequests, checksPassed, checksFailed, latencyMs, requestsPerSecond } = summary;
  return {
    counts: { requests, failedRequests, checksPassed, checksFailed },
    perSecond: requestsPerSecond.mean?.toFixed(6),
    bytesPerResponse: summary.bytesPerResponse?.toFixed(6),
    latency: [
      latencyMs.mean,
      latencyMs.p50,
      latencyMs.p90,
      latencyMs.p95,
      latencyMs.p99,
      latencyMs.p999,
      latencyMs.max,
    ],
  };
}

type Values = Record<string, number>;

/** The same figures with nothing of the lab: the one run's raw summary, and arithmetic. */
function recomputed(file: string, windowMs: number): ReturnType<typeof figuresOf> {
  const { metrics } = JSON.parse(readFileSync(file, 'utf8')) as { metrics: Record<string, { values: Values }> };
  const value = (metric: string, name: string): number => metrics[metric]!.values[name]!;
  const requests = value('http_reqs{scenario:load}', 'count');
  const latency = 'http_req_duration{scenario:load,expected_response:true}';
  return {
    counts: {
      requests,
      failedRequests: value('http_req_failed{scenario:load}', 'passes'),
      checksPassed: value('checks', 'passes'),
      checksFailed: value('checks', 'fails'),
    },
    perSecond: ((requests * 1000) / windowMs).toFixed(6),
    bytesPerResponse: (value('data_received{scenario:load}', 'count') / requests).toFixed(6),
    latency: ['avg', 'med', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)', 'max'].map((name) => value(latency, name)),
  };
}
