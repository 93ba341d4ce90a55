import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sets } from '../../tests/fixtures/sets.ts';
import { readResultSet } from './read.ts';
import { createResultFolder, openStore } from './store.ts';

const set = sets.quick();
let results: string;

beforeEach(async () => {
  results = await mkdtemp(join(tmpdir(), 'loadlab-read-'));
});

async function save(time: string, options: { finished?: boolean } = {}): Promise<string> {
  const folder = await createResultFolder(results, 'study', new Date(time));
  const { schemaVersion, id, provenance, plan, parity } = set;
  const store = await openStore(folder, { schemaVersion, id, provenance, plan, parity });
  await store.appendWarmUp(set.warmUps[0]!);
  for (const slice of set.slices.slice(0, 3)) await store.appendSlice(slice);
  if (options.finished !== false) await store.finish(set);
  await store.close();
  return folder;
}

describe('a finished set', () => {
  test('is found by folder, by result.json, by id, and as the latest one', async () => {
    await save('2026-11-30T10:00:00Z');
    const folder = await save('2026-11-30T10:00:01Z');
    for (const name of [folder, join(folder, 'result.json'), '20261130-100001-study', undefined]) {
      expect(await readResultSet(results, name)).toEqual({ kind: 'finished', folder, resultSet: set });
    }
  });

  test('the latest of one second is the one with the highest number', async () => {
    for (let count = 0; count < 11; count++) await save('2026-11-30T10:00:00Z');
    const { folder } = await readResultSet(results);
    expect(folder).toBe(join(results, '20261130-100000-study-11'));
  });

  test('published sets are found by name, and never taken as the latest', async () => {
    const folder = await save('2026-11-30T10:00:00Z');
    await mkdir(join(results, 'published'));
    await cp(folder, join(results, 'published', 'k6'), { recursive: true });
    await rm(folder, { recursive: true });
    for (const name of ['k6', 'published/k6']) expect((await readResultSet(results, name)).kind).toBe('finished');
    await expect(readResultSet(results)).rejects.toMatchObject({
      code: 'NO_RESULT_SET',
      hint: expect.stringContaining('published/k6') as string,
    });
  });

  test('a folder without anything to read is passed over', async () => {
    const folder = await save('2026-11-30T10:00:00Z');
    await createResultFolder(results, 'study', new Date('2026-11-30T11:00:00Z'));
    expect((await readResultSet(results)).folder).toBe(folder);
  });
});

describe('no set', () => {
  test('says so, with the command that makes one', async () => {
    await expect(readResultSet(join(results, 'none'))).rejects.toMatchObject({
      code: 'NO_RESULT_SET',
      hint: expect.stringContaining('make bench') as string,
    });
    await save('2026-11-30T10:00:00Z');
    await expect(readResultSet(results, 'misspelt')).rejects.toMatchObject({
      code: 'NO_RESULT_SET',
      hint: expect.stringContaining('20261130-100000-study') as string,
    });
  });
});

describe('an unfinished set', () => {
  test('comes with its header and every run', async () => {
    const folder = await save('2026-11-30T10:00:00Z', { finished: false });
    const { schemaVersion, id, provenance, plan, parity } = set;
    expect(await readResultSet(results)).toEqual({
      kind: 'unfinished',
      folder,
      header: { schemaVersion, id, provenance, plan, parity },
      slices: set.slices.slice(0, 3),
      warmUps: set.warmUps.slice(0, 1),
      tornLine: null,
    });
  });

  test('a torn last line is left out and reported', async () => {
    const folder = await save('2026-11-30T10:00:00Z', { finished: false });
    await appendFile(join(folder, 'slices.jsonl'), '{"kind":"slice","slice":{"id');
    const read = await readResultSet(results);
    expect(read).toMatchObject({ kind: 'unfinished', tornLine: expect.stringContaining('slices.jsonl:5') as string });
  });

  test.each([
    ['not JSON', '{"kind":"slice"\n', ':5: $: not JSON'],
    ['an unknown kind', '{"kind":"other"}\n', ':5: $.kind'],
    ['an empty line', '\n', ':5: $: not JSON'],
  ])('any other bad line is an error: %s', async (_, line, message) => {
    const folder = await save('2026-11-30T10:00:00Z', { finished: false });
    await appendFile(join(folder, 'slices.jsonl'), line);
    await expect(readResultSet(results)).rejects.toMatchObject({
      code: 'BAD_RESULT_SET',
      message: expect.stringContaining(message) as string,
    });
  });
});

describe('a bad set', () => {
  test.each([
    ['a field of a wrong type', { ...set, headline: { ...set.headline, runs: '16' } }, '$.headline.runs'],
    ['a field too many', { ...set, more: 1 }, 'more'],
    ['another version', { ...set, schemaVersion: 2 }, '$.schemaVersion: 2 is not known, this loadlab reads version 1'],
    ['no version', { id: 'x' }, '$.schemaVersion'],
  ])('%s is named with file and JSON path', async (_, value, message) => {
    const folder = await save('2026-11-30T10:00:00Z');
    await writeFile(join(folder, 'result.json'), JSON.stringify(value));
    await expect(readResultSet(results)).rejects.toMatchObject({
      code: 'BAD_RESULT_SET',
      message: expect.stringMatching(new RegExp(`result\\.json: .*${message.replaceAll(/[.$]/g, '\\$&')}`)) as string,
    });
  });

  test('half a file is no JSON', async () => {
    const folder = await save('2026-11-30T10:00:00Z');
    await writeFile(join(folder, 'result.json'), JSON.stringify(set).slice(0, 1000));
    await expect(readResultSet(results)).rejects.toMatchObject({ code: 'BAD_RESULT_SET' });
  });
});
