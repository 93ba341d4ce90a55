import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BrokenContract, readContract } from './read.ts';

const published = join(import.meta.dirname, '../../../contract');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadlab-contract-'));
  cpSync(published, folder, { recursive: true });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof BrokenContract) return error.problems;
    throw error;
  }
  return [];
}

/** Replaces one piece of contract.json's text, which must be there. */
function broken(from: string | RegExp, to: string): readonly string[] {
  const text = JSON.stringify(JSON.parse(publishedText()));
  const changed = text.replace(from, to);
  expect(changed).not.toBe(text);
  writeFileSync(join(folder, 'contract.json'), changed);
  return problemsOf(() => readContract(folder));
}

function publishedText(): string {
  return JSON.stringify(readContract(published).contract);
}

describe('the contract', () => {
  it('that is published is accepted, with its SQL as it stands', () => {
    const { contract, sql } = readContract(published);
    expect(contract.endpoints.map((endpoint) => endpoint.path)).toContain('/products-where-like');
    expect(sql.get('sql/products.sql')).toMatch(/^SELECT id,\n/);
  });

  it.each<[string, string | RegExp, string, RegExp]>([
    ['a version of another time', '"version":1', '"version":2', /^contract\.json: \$\.version: /],
    ['a path that is no path', '"path":"/products"', '"path":"products"', /\$\.endpoints\[1\]\.path: /],
    ['a path with a pattern', '"path":"/products"', '"path":"/:id"', /\$\.endpoints\[1\]\.path: /],
    ['a path twice', '"path":"/products"', '"path":"/hello"', /\$\.endpoints\[1\]\.path: "\/hello" occurs twice/],
    ["the stack's own path", '"path":"/hello"', '"path":"/health"', /\$\.endpoints\[0\]\.path: the stack's own/],
    ['an id twice', '"id":"products"', '"id":"hello"', /\$\.endpoints\[1\]\.id: "hello" occurs twice/],
    ['a file that is not there', 'sql/products.sql', 'sql/none.sql', /\$\.endpoints\[1\]\.query\.file: ENOENT/],
    ['a file elsewhere', 'sql/products.sql', '../secret.sql', /\$\.endpoints\[1\]\.query\.file: expected/],
    ['a seed of no version', '"seed":{"version":"1"', '"seed":{"version":""', /\$\.seed\.version: /],
    ['a pool of nothing', '"database":25', '"database":0', /\$\.pools\.database: /],
    ['a limit that is text', '"cacheTimeoutMs":200', '"cacheTimeoutMs":"200"', /\$\.limits\.cacheTimeoutMs: .*number/],
    ['a limit that is missing', /"poolTimeoutMs":\d+,/, '', /\$\.limits\.poolTimeoutMs: /],
    ['no endpoints', /"endpoints":\[.*\],"seed"/, '"endpoints":[],"seed"', /\$\.endpoints: /],
    ['a cut file', /.$/, '', /^contract\.json: \$: not valid JSON/],
  ])('is refused with %s', (_, from, to, expected) => {
    const problems = broken(from, to);
    expect(problems.some((line) => expected.test(line))).toBe(true);
  });

  it('names everything that is wrong at once', () => {
    writeFileSync(join(folder, 'contract.json'), publishedText().replaceAll(':25', ':0'));
    expect(problemsOf(() => readContract(folder))).toHaveLength(2);
  });

  it('is refused with an empty query', () => {
    writeFileSync(join(folder, 'sql/products.sql'), '\n');
    expect(problemsOf(() => readContract(folder))).toEqual([
      'contract.json: $.endpoints[1].query.file: sql/products.sql is empty',
      'contract.json: $.endpoints[3].query.file: sql/products.sql is empty',
    ]);
  });

  it('is refused where there is none', () => {
    expect(problemsOf(() => readContract(join(folder, 'nowhere')))[0]).toMatch(/^contract\.json: \$: ENOENT/);
  });

  it('may hold more than a stack needs', () => {
    writeFileSync(join(folder, 'contract.json'), publishedText().replace('{', '{"later":true,'));
    expect(problemsOf(() => readContract(folder))).toEqual([]);
  });
});
