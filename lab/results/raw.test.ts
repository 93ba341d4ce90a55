import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readBuiltinRaws } from './raw.ts';

const folder = await mkdtemp(join(tmpdir(), 'loadlab-raw-'));

test('a raw file is read and validated', async () => {
  const histogram = {
    unit: 'microseconds',
    count: 0,
    minMicros: null,
    maxMicros: null,
    sumMicros: 0,
    aboveHighest: 0,
    encoded: '',
  };
  const raw = {
    version: 1,
    generator: 'builtin',
    id: 'g1-r1-hello-constant-vus-20-go',
    url: 'http://127.0.0.1:8080/hello',
    load: { executor: 'constant-vus', vus: 20 },
    check: 'bytes',
    startedAt: '2026-11-30T10:15:02.000Z',
    windowMs: 1000,
    requests: 0,
    requestsOutsideWindow: 0,
    failedRequests: 0,
    unfinishedRequests: 0,
    checks: {},
    cache: { hit: 0, miss: 0, absent: 0 },
    bodyBytes: 0,
    connectionsOpened: 0,
    errors: {},
    failedCheckExamples: [],
    latency: histogram,
    timeToFirstByte: histogram,
  };
  await writeFile(join(folder, 'a.json'), JSON.stringify(raw));
  expect(await readBuiltinRaws(folder, ['a.json', 'a.json'])).toEqual([raw, raw]);
});

test.each([
  ['broken.json', '{"version":1}', /broken\.json: \$\.generator/],
  ['none.json', null, /none\.json: ENOENT/],
  ['../outside.json', null, /outside/],
])('%s is refused', async (name, text, message) => {
  if (text !== null) await writeFile(join(folder, name), text);
  await expect(readBuiltinRaws(folder, [name])).rejects.toMatchObject({
    code: 'BAD_RESULT_SET',
    message: expect.stringMatching(message) as string,
  });
});
