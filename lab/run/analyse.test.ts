import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sets } from '../../tests/fixtures/sets.ts';
import { readContract, readThresholds } from '../contract/read.ts';
import { repositoryRoot } from '../contract/root.ts';
import { LabError } from '../model/errors.ts';
import type { BuiltinRaw, HistogramRecord } from '../model/histogram.ts';
import { noPercentiles } from '../model/measurement.ts';
import { analyse, type Measured } from './analyse.ts';

const contractDir = join(repositoryRoot, 'contract');
const [contract, thresholds] = await Promise.all([readContract(contractDir), readThresholds(contractDir)]);

const empty: HistogramRecord = {
  unit: 'microseconds',
  count: 0,
  minMicros: null,
  maxMicros: null,
  sumMicros: 0,
  aboveHighest: 0,
  encoded: '',
};
const raw = { latency: empty, timeToFirstByte: empty } as BuiltinRaw;

function measured(readRaws: Measured['readRaws'], changes: Partial<Measured> = {}): Measured {
  const { schemaVersion, id, provenance, plan, parity, slices, warmUps } = sets.quick();
  const header = { schemaVersion, id, provenance, plan, parity };
  const finishedAt = new Date('2026-11-30T10:19:32.000Z');
  return { header, contract, thresholds, slices, warmUps, endedEarly: null, finishedAt, readRaws, ...changes };
}

test.each([
  ['missing', () => Promise.reject(new LabError('BAD_RESULT_SET', 'ENOENT', ''))],
  ['short', () => Promise.resolve([{ ...raw, latency: { ...empty, count: 7, encoded: 'HISTFAAA' } }])],
] as const)('a raw file that is %s costs its cell the percentiles, and nothing else', async (_how, broken) => {
  const damaged = 'raw/' + sets.quick().slices[0]!.slice.id + '.builtin.json';
  const set = await analyse(measured((raws) => (raws.includes(damaged) ? broken() : Promise.resolve([raw]))));
  expect(set.status).toBe('complete');
  const [hit, ...others] = [...set.summaries].sort((a) => (a.percentilesFrom === null ? -1 : 1));
  expect(hit!.cell).toEqual(set.slices[0]!.slice.cell);
  expect(hit!).toMatchObject({ latencyMs: noPercentiles, timeToFirstByteMs: noPercentiles, percentilesFrom: null });
  expect(hit!.verdicts.latency.notes).toMatchObject([
    { rule: 'raw-file', seen: `1 of 2 are missing or damaged: ${damaged}` },
  ]);
  expect(hit!.requestsPerSecond.mean).toBeGreaterThan(0);
  for (const other of others) {
    expect(other.percentilesFrom).toBe('merged-histograms');
    expect(other.verdicts.latency.notes).toEqual([]);
  }
});

test('any other error of a reader is not swallowed', async () => {
  await expect(analyse(measured(() => Promise.reject(new Error('out of memory'))))).rejects.toThrow('out of memory');
});

test('a warm-up that was cut is a note of its variant and endpoint under every load', async () => {
  const { warmUps } = sets.quick();
  const { warmUp } = warmUps[0]!;
  const cut = warmUps.map((record) => ({ ...record, finished: record.warmUp !== warmUp }));
  const { summaries } = await analyse(measured(() => Promise.resolve([raw]), { warmUps: cut }));
  const noted = summaries.filter(({ verdicts }) => verdicts.throughput.notes.some(({ rule }) => rule === 'warm-up'));
  expect(noted.map(({ cell }) => [cell.variant, cell.endpoint])).toEqual([
    [warmUp.cell.variant, warmUp.cell.endpoint],
    [warmUp.cell.variant, warmUp.cell.endpoint],
  ]);
});
