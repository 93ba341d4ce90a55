import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ResultSet } from '../../lab/model/result.ts';
import { loadlab, onlySet, resultsFolder } from './loadlab.ts';

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
});
