import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { sets } from '../../tests/fixtures/sets.ts';
import { ResultHeader, type ResultSet } from '../model/result.ts';
import { canLimitFileSize, withFileSizeLimit } from '../model/test-file-size-limit.ts';
import { createResultFolder, openStore } from './store.ts';

const now = new Date('2026-11-30T10:15:07.900Z');
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadlab-store-'));
});

function headerOf({ schemaVersion, id, provenance, plan, parity }: ResultSet): ResultHeader {
  return { schemaVersion, id, provenance, plan, parity };
}

describe('createResultFolder', () => {
  test('names the folder by UTC time and study, and makes raw/ and logs/', async () => {
    const made = await createResultFolder(join(folder, 'results'), 'go-vs-node', now);
    expect(made).toBe(join(folder, 'results', '20261130-101507-go-vs-node'));
    expect((await readdir(made)).sort()).toEqual(['logs', 'raw']);
  });

  test('gives every lab of one second a folder of its own', async () => {
    const made = await Promise.all(Array.from({ length: 12 }, () => createResultFolder(folder, 'study', now)));
    expect(new Set(made).size).toBe(12);
    expect(made.map((path) => basename(path))).toContain('20261130-101507-study-12');
  });

  test('says what cannot be written, and where', async () => {
    const file = join(folder, 'a-file');
    await writeFile(file, '');
    await expect(createResultFolder(file, 'study', now)).rejects.toMatchObject({
      code: 'CANNOT_WRITE',
      message: expect.stringContaining(join(file, '20261130-101507-study')) as string,
      hint: expect.stringContaining('--out') as string,
    });
  });
});

describe('openStore', () => {
  const set = sets.quick();
  const [first, second] = set.slices;

  test('saves the header before anything is measured', async () => {
    await (await openStore(folder, headerOf(set))).close();
    expect(ResultHeader.parse(JSON.parse(await readFile(join(folder, 'header.json'), 'utf8')))).toEqual(headerOf(set));
  });

  test('a run is on the disk when append resolves, one line each, in the order of the calls', async () => {
    const store = await openStore(folder, headerOf(set));
    await store.appendSlice(first!);
    expect(await linesOf(folder)).toEqual([{ kind: 'slice', ...first }]);
    await Promise.all([store.appendWarmUp(set.warmUps[0]!), store.appendSlice(second!)]);
    expect(await linesOf(folder)).toEqual([
      { kind: 'slice', ...first },
      { kind: 'warm-up', ...set.warmUps[0] },
      { kind: 'slice', ...second },
    ]);
    await store.close();
  });

  test('never grows out of another set', async () => {
    await (await openStore(folder, headerOf(set))).close();
    await expect(openStore(folder, headerOf(set))).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
  });

  test('finish writes the whole set and ends the store', async () => {
    const store = await openStore(folder, headerOf(set));
    const path = await store.finish(set);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(set);
    expect((await readdir(folder)).sort()).toEqual(['header.json', 'result.json', 'slices.jsonl']);
    await expect(store.appendSlice(first!)).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
    await store.close();
  });

  test('finish refuses a set that its schema refuses, and keeps the runs', async () => {
    const store = await openStore(folder, headerOf(set));
    await store.appendSlice(first!);
    const broken = { ...set, headline: { ...set.headline, runs: 1.5 } };
    await expect(store.finish(broken)).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('$.headline.runs') as string,
    });
    expect(await readdir(folder)).not.toContain('result.json');
    expect(await linesOf(folder)).toHaveLength(1);
    await store.close();
  });
});

describe.skipIf(!canLimitFileSize)('on a full disk', () => {
  const set = sets.quick();

  test('an append that did not fit leaves no half line behind', async () => {
    const store = await openStore(folder, headerOf(set));
    await store.appendSlice(set.slices[0]!);
    const { size } = await stat(join(folder, 'slices.jsonl'));
    await withFileSizeLimit(size + 100, async () => {
      await expect(store.appendSlice(set.slices[1]!)).rejects.toMatchObject({
        code: 'CANNOT_WRITE',
        message: expect.stringContaining('slices.jsonl') as string,
      });
    });
    expect(await linesOf(folder)).toHaveLength(1);
    await store.appendSlice(set.slices[2]!);
    expect(await linesOf(folder)).toHaveLength(2);
    await store.close();
  });
});

async function linesOf(path: string): Promise<unknown[]> {
  const text = await readFile(join(path, 'slices.jsonl'), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line));
}
