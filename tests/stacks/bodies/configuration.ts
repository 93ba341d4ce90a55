import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Bed, Exit, StackUnderTest, StartOptions } from '../bed.ts';
import { started } from '../running.ts';
import { within } from '../until.ts';
import { get } from '../wire/request.ts';

/** One bad value for every variable that is checked. */
const allBad = {
  PORT: '65536',
  DATABASE_URL: 'mysql://user:hidden@host/database',
  REDIS_URL: 'http://host',
  DB_POOL_SIZE: '0',
  REDIS_POOL_SIZE: '1001',
  POOL_TIMEOUT_MS: '-1',
  QUERY_TIMEOUT_MS: '600001',
  CACHE_TIMEOUT_MS: '1.5',
  SHUTDOWN_TIMEOUT_MS: 'soon',
  KEEP_ALIVE_TIMEOUT_MS: '0x10',
};

/** Starts that cannot work end at once, say why, and say so by their exit code. */
export function configurationTests(bed: Bed, stack: StackUnderTest): void {
  describe('configuration', () => {
    /** How a start that must fail ended, and the lines that it wrote. */
    async function failedStart(options: StartOptions): Promise<{ exit: Exit; lines: string[] }> {
      const process = await stack.launch(options);
      onTestFinished(() => process.kill());
      const exit = await within('its end', process.exited);
      return {
        exit,
        lines: process
          .stderr()
          .split('\n')
          .filter((line) => line !== ''),
      };
    }

    test('every variable that is wrong is named, one line each, exit code 2', async () => {
      const { exit, lines } = await failedStart({ environment: allBad });
      expect(exit).toEqual({ code: 2, signal: null });
      expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(Object.keys(allBad).sort());
      for (const line of lines) expect(line).toMatch(/^[A-Z_]+: .+; allowed: .+$/);
      expect(lines.join('\n')).not.toContain('hidden');
    });

    test('what is required is named where it is missing, or empty', async () => {
      const { exit, lines } = await failedStart({ databaseUrl: null, redisUrl: '' });
      expect(exit.code).toBe(2);
      expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(['DATABASE_URL', 'REDIS_URL']);
    });

    test.each<[string, Replacement[], RegExp[]]>([
      [
        'several things wrong',
        [
          ['"/products-where-like"', '"products"'],
          ['"cacheTimeoutMs": 200', '"cacheTimeoutMs": 0'],
          ['"redis": 25', '"other": 25'],
          ['"version": 1', '"version": 2'],
        ],
        [/^\$\.endpoints\[2\]\.path: /, /^\$\.limits\.cacheTimeoutMs: /, /^\$\.pools\.redis: /, /^\$\.version: /],
      ],
      ['a path twice', [['"/products"', '"/hello"']], [/^\$\.endpoints\[1\]\.path: /]],
      [
        'a limit of the wrong type',
        [['"cacheTimeoutMs": 200', '"cacheTimeoutMs": "x"']],
        [/^\$\.limits\.cacheTimeoutMs: /],
      ],
      [
        'a query that is not there',
        [['sql/products-where-like.sql', 'sql/none.sql']],
        [/^\$\.endpoints\[2\]\.query\.file: .*none\.sql/],
      ],
      ['no search where one is needed', [['"search"', '"other"']], [/^\$\.endpoints\[2\]\.query\.search: /]],
      ['text behind its end', [['"retryAfterSeconds": 1\n  }\n}', '"retryAfterSeconds": 1\n  }\n}}']], [/^\$: /]],
    ])('a contract with %s is refused by file and JSON path, exit code 2', async (_, replacements, wanted) => {
      const contractDir = await changedContract(bed.contractDir, replacements);
      const { exit, lines } = await failedStart({ contractDir });
      expect(exit).toEqual({ code: 2, signal: null });
      const places = lines.map((line) => line.replace(/^contract\.json: /, ''));
      for (const place of wanted) expect(places).toContainEqual(expect.stringMatching(place));
      expect(lines.filter((line) => !line.startsWith('contract.json: $'))).toEqual([]);
    });

    test('no contract at all: exit code 2, and the variables are checked all the same', async () => {
      const contractDir = join(bed.contractDir, 'nowhere');
      const { exit, lines } = await failedStart({ contractDir, environment: { DB_POOL_SIZE: '0' } });
      expect(exit.code).toBe(2);
      expect(lines.some((line) => line.startsWith('contract.json: $: '))).toBe(true);
      expect(lines.some((line) => line.startsWith('DB_POOL_SIZE: '))).toBe(true);
    });

    test('empty variables count as unset, a port in use is one line and exit code 1, and every line is an event', async () => {
      const names = Object.keys(allBad).filter((name) => !['PORT', 'DATABASE_URL', 'REDIS_URL'].includes(name));
      const environment = Object.fromEntries([...names, 'LOADLAB_NONCE'].map((name) => [name, '']));
      const process = await started(stack, { environment });
      const { body } = await get(process.address, '/health');
      expect(JSON.parse(body.toString())).toMatchObject({ pools: bed.contract.pools, nonce: '' });

      const second = await failedStart({ environment: { PORT: String(process.address.port) } });
      expect(second.exit).toEqual({ code: 1, signal: null });
      expect(second.lines).toHaveLength(1);
      expect(second.lines[0]).toContain(String(process.address.port));

      for (let asked = 0; asked < 5; asked += 1) await get(process.address, '/products-with-cache');
      process.signal('SIGTERM');
      expect(await within('its end', process.exited)).toEqual({ code: 0, signal: null });
      const lines = process.stderr().trimEnd().split('\n');
      const events = lines.map((line) => JSON.parse(line) as unknown);
      expect(events[0]).toEqual({ level: 'info', event: 'listening', url: process.baseUrl });
      // Nothing for a request: it listened, was told to stop, and stopped.
      expect(events.length).toBeLessThan(5);
      for (const event of events) expect(event).toMatchObject({ level: 'info', event: expect.any(String) as string });
    });
  });
}

/** A text of contract.json, which must be there, and what stands in its place. */
type Replacement = [from: string, to: string];

/** A copy of the contract in which other things stand; it goes with the test. */
async function changedContract(contractDir: string, replacements: readonly Replacement[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-contract-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(contractDir, folder, { recursive: true });
  const file = join(folder, 'contract.json');
  let text = await readFile(file, 'utf8');
  for (const [from, to] of replacements) {
    expect(text).toContain(from);
    text = text.replace(from, to);
  }
  await writeFile(file, text);
  return folder;
}
