import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LabError } from '../model/errors.ts';
import { contractSha256, readContract, readStacks, readThresholds } from './read.ts';
import { findRoot, repositoryRoot } from './root.ts';

let root: string;
let contractDir: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'loadlab-contract-'));
  contractDir = join(root, 'contract');
  await cp(join(repositoryRoot, 'contract'), contractDir, { recursive: true });
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

/** Sets a value in contract.json by path, as a slip of the pen would. */
async function breakContract(path: (string | number)[], value: unknown): Promise<void> {
  const file = join(contractDir, 'contract.json');
  const json: unknown = JSON.parse(await readFile(file, 'utf8'));
  let target = json as Record<string | number, unknown>;
  for (const step of path.slice(0, -1)) target = target[step] as Record<string | number, unknown>;
  target[path.at(-1)!] = value;
  await writeFile(file, JSON.stringify(json));
}

async function refusal(reading: Promise<unknown>): Promise<LabError> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof LabError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('readContract', () => {
  it('reads the contract and thresholds of this repository', async () => {
    const contract = await readContract(join(repositoryRoot, 'contract'));
    expect(contract.endpoints.map((endpoint) => endpoint.id)).toContain('products-with-cache');
    expect((await readThresholds(join(repositoryRoot, 'contract'))).load.p95Ms).toBe(500);
  });

  it.each([
    [['endpoints', 1, 'path'], 'products', '$.endpoints[1].path: '],
    [['endpoints', 1, 'path'], '/Products', '$.endpoints[1].path: expected: /segments'],
    [['endpoints', 1, 'path'], '/products/', '$.endpoints[1].path: expected: /segments'],
    [['endpoints', 1, 'path'], '/:id', '$.endpoints[1].path: expected: /segments'],
    [['endpoints', 1, 'path'], '/health', '$.endpoints[1].path: expected: /segments'],
    [['endpoints', 1, 'path'], '/hello', '$.endpoints[1].path: "/hello" is taken by $.endpoints[0]'],
    [['endpoints', 2, 'id'], 'hello', '$.endpoints[2].id: "hello" is taken by $.endpoints[0]'],
    [['endpoints', 1, 'query', 'file'], 'sql/x.sql', '$.endpoints[1].query.file: there is no file "sql/x.sql"'],
    [['endpoints', 1, 'query', 'file'], '../x.sql', '$.endpoints[1].query.file: "../x.sql" lies outside'],
    [['seed', 'files', 1], 'sql/none.sql', '$.seed.files[1]: there is no file'],
    [['endpoints', 0, 'touches'], ['cache'], '$.endpoints[0].touches: has "cache" and the endpoint no "cache"'],
    [['endpoints', 1, 'touches'], [], '$.endpoints[1].touches: lacks "database": there is a "query"'],
    [['endpoints', 1, 'query', 'expectedCount'], 0, '$.endpoints[1].query.expectedCount: '],
    [['endpoints', 2, 'query', 'search', 'parameter'], 'Q', '$.endpoints[2].query.search.parameter: expected: '],
    [['endpoints', 2, 'query', 'search', 'maxCodePoints'], 10_001, '$.endpoints[2].query.search.maxCodePoints: '],
    [['endpoints', 3, 'cache', 'ttlSeconds'], 2 ** 31, '$.endpoints[3].cache.ttlSeconds: '],
    [['limits', 'maxHeaderBytes'], 8191, '$.limits.maxHeaderBytes: '],
    [['limits', 'retryAfterSeconds'], 3601, '$.limits.retryAfterSeconds: '],
    [['pools', 'redis'], 0, '$.pools.redis: '],
    [['limits', 'poolTimeoutMs'], '2s', '$.limits.poolTimeoutMs: '],
    [['endpoints', 0, 'colour'], 'red', '$.endpoints[0]: '],
  ])('names file and JSON path of %j = %j', async (path, value, expected) => {
    await breakContract(path, value);
    const error = await refusal(readContract(contractDir));
    expect(error.code).toBe('BAD_CONTRACT');
    expect(error.message).toContain(`contract/contract.json: ${expected}`);
  });

  it('lists every problem, one a line', async () => {
    await breakContract(['pools', 'redis'], 0);
    await breakContract(['pools', 'database'], 0);
    expect((await refusal(readContract(contractDir))).message.split('\n')).toHaveLength(2);
  });

  it('names a file that is not JSON, and one that is not there', async () => {
    await writeFile(join(contractDir, 'contract.json'), '{');
    expect((await refusal(readContract(contractDir))).message).toMatch(/^contract\/contract\.json: not JSON: /);
    await rm(join(contractDir, 'thresholds.json'));
    expect((await refusal(readThresholds(contractDir))).message).toMatch(
      /^contract\/thresholds\.json: cannot be read: /,
    );
  });
});

describe('contractSha256', () => {
  it('changes with the SQL, and not with prose beside it', async () => {
    const before = await contractSha256(contractDir);
    await writeFile(join(contractDir, 'README.md'), 'prose');
    expect(await contractSha256(contractDir)).toBe(before);
    await writeFile(join(contractDir, 'sql/products.sql'), 'SELECT 1');
    expect(await contractSha256(contractDir)).not.toBe(before);
  });
});

describe('readStacks', () => {
  const manifest = {
    version: 1,
    id: 'one',
    title: 'One',
    language: 'any',
    build: { command: ['true'], environment: {} },
    start: { command: ['true'], environment: {} },
    requires: [{ command: ['node', '--version'], pattern: 'v(\\d+)', minimum: '20', hint: 'get it' }],
    port: 8080,
    image: 'loadlab/one',
    endpoints: ['hello'],
  };
  async function addStack(folder: string, change: Record<string, unknown> = {}): Promise<void> {
    await mkdir(join(root, folder));
    await writeFile(join(root, folder, 'stack.json'), JSON.stringify({ ...manifest, ...change }));
  }

  it('finds every folder with a stack.json, in order of name', async () => {
    await addStack('b', { id: 'two' });
    await addStack('a');
    expect((await readStacks(root)).map((stack) => [stack.manifest.id, stack.folder])).toEqual([
      ['one', join(root, 'a')],
      ['two', join(root, 'b')],
    ]);
  });

  it.each([
    [{ id: 'one' }, '$.id: "one" is taken by '],
    [{ id: 'two', endpoints: ['hello', 'nope'] }, '$.endpoints[1]: the contract has no endpoint "nope"'],
    [{ id: 'two', start: { command: [], environment: {} } }, '$.start.command: '],
    [{ id: 'two', requires: [{ ...manifest.requires[0], pattern: '(' }] }, '$.requires[0].pattern: '],
    [{ id: 'two', requires: [{ ...manifest.requires[0], pattern: 'v' }] }, '$.requires[0].pattern: needs a group'],
  ])('refuses %j, naming file and path', async (change, expected) => {
    await addStack('a');
    await addStack('b', change);
    const error = await refusal(readStacks(root));
    expect(error.code).toBe('BAD_STACK');
    expect(error.message).toContain(`b/stack.json: ${expected}`);
  });
});

describe('findRoot', () => {
  it('walks up to the package named loadlab, past other packages', async () => {
    await writeFile(join(root, 'package.json'), '{"name":"loadlab"}');
    await mkdir(join(root, 'dist/lab/contract'), { recursive: true });
    await writeFile(join(root, 'dist/lab/package.json'), '{"name":"@loadlab/lab"}');
    expect(findRoot(join(root, 'dist/lab/contract'))).toBe(root);
  });

  it('says so where there is none', () => {
    expect(() => findRoot('/')).toThrow(LabError);
  });
});
