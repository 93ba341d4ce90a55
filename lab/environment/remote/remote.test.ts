import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { access, mkdtemp } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { readContract, readStacks } from '../../contract/read.ts';
import { repositoryRoot } from '../../contract/root.ts';
import type { AskedHandle, EnvironmentRequest, OwnEnvironment, UsageReading } from '../../model/environment.ts';
import { isAlive, ownDataHome, refusal, removeDataHome } from '../native/fixtures/request.ts';
import { startNative } from '../native/index.ts';
import { openRemote } from './index.ts';
import type { RemoteTarget } from './options.ts';
import type { RemoteEnvironment } from './remote-environment.ts';

/** Everything is real: what the native environment has started is what runs already. */
let home: string;
let servers: OwnEnvironment;
let request: EnvironmentRequest;
let lines: string[] = [];
const opened: RemoteEnvironment[] = [];

beforeAll(async () => {
  home = await ownDataHome();
  const contractDir = join(repositoryRoot, 'contract');
  const contract = await readContract(contractDir);
  const stacks = await readStacks(repositoryRoot, contract);
  const variants = stacks
    .filter(({ manifest }) => ['go-api', 'node-api'].includes(manifest.id))
    .map((stack) => {
      const id = stack.manifest.id.replace('-api', '');
      return { variant: { id, title: id, stack: stack.manifest.id, environment: {} }, stack };
    });
  const report = (line: string): void => void lines.push(line);
  const { signal } = new AbortController();
  request = { contract, contractDir, variants, report, logDir: join(home, 'logs'), signal };
  servers = await startNative(request);
});
afterEach(async () => {
  for (const environment of opened.splice(0)) await environment.stop();
  lines = [];
});
afterAll(async () => {
  await servers.stop();
  await removeDataHome(home);
});

function target(change: Partial<RemoteTarget> = {}): RemoteTarget {
  const baseUrls = { go: servers.baseUrl('go'), node: servers.baseUrl('node') };
  return { baseUrls, databaseUrl: servers.databaseUrl, redisUrl: servers.redisUrl, sameHost: true, ...change };
}

async function open(change: Partial<RemoteTarget> = {}): Promise<RemoteEnvironment> {
  const environment = await openRemote(target(change), request);
  opened.push(environment);
  return environment;
}

async function read(environment: RemoteEnvironment, component: string): Promise<UsageReading> {
  return (environment.components()[component] as AskedHandle).read();
}

async function askDatabase(sql: string, url = servers.databaseUrl): Promise<void> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=public' });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

describe('servers that run already', () => {
  it('are neither restarted nor stopped', async () => {
    const remote = await open();
    expect(remote.restarts).toBe(false);
    expect(remote.failed.aborted).toBe(false);
    expect(lines.join('\n')).toContain('all rounds are of one generation');
    await remote.stop();
    expect((await fetch(`${servers.baseUrl('go')}/products`)).status).toBe(200);
    await askDatabase('SELECT 1');
  });

  it('let what makes the load end with the lab, its folder with it', async () => {
    const remote = await open();
    const folder = await mkdtemp(join(home, 'k6-'));
    const { pid } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
    remote.endWithLab(pid!, folder);
    await remote.stop();
    expect(isAlive(pid!)).toBe(false);
    await expect(access(folder)).rejects.toThrow(/ENOENT/);
  });

  it('tell what the APIs use, by their own word; of the others nobody says', async () => {
    const remote = await open();
    const before = await read(remote, 'api:node');
    for (let count = 0; count < 300; count += 1) await (await fetch(`${remote.baseUrl('node')}/products`)).text();
    const after = await read(remote, 'api:node');
    const native = servers.components()['api:node'] as { pid: number };
    if ('unreadable' in before || 'unreadable' in after) throw new Error('it must be readable');
    expect(after.life).toBe(String(native.pid));
    expect(after.cpuMs - before.cpuMs).toBeGreaterThan(10);
    expect(after.residentBytes).toBeGreaterThan(1e7);
    expect(await read(remote, 'postgres')).toEqual({
      unreadable: expect.stringMatching(/socket|Compose project/) as string,
    });
    const elsewhere = await open({ sameHost: false });
    expect(await read(elsewhere, 'redis')).toEqual({ unreadable: 'on another machine, where nobody says it' });
  });

  it('say what they are, and what is not known of them', async () => {
    const found = await (await open()).fingerprint();
    expect(found['api:go']).toMatchObject({ name: 'go-api', pools: { database: 25, redis: 25 } });
    expect(found.postgres?.version).toMatch(/^16\./);
    expect(found.postgres).toMatchObject({
      cpuQuota: null,
      settings: { max_connections: '200', cpuQuota: 'not known' },
    });
    expect(found.redis?.settings).toMatchObject({ appendonly: 'no', cpuQuota: 'not known' });
    expect(JSON.stringify(found)).not.toContain(new URL(servers.databaseUrl).password);
  });

  it('are counted, whichever role asks', async () => {
    const remote = await open();
    const before = await remote.workCounters();
    for (let count = 0; count < 3; count += 1) await (await fetch(`${remote.baseUrl('go')}/products`)).text();
    await askDatabase(readFileSync(join(repositoryRoot, 'contract/sql/products.sql'), 'utf8'));
    const after = await remote.workCounters();
    expect(after.queryCalls['sql/products.sql']! - before.queryCalls['sql/products.sql']!).toBe(4);
  });

  it('have a cache that can be emptied', async () => {
    const remote = await open();
    const ask = async (): Promise<string | null> =>
      (await fetch(`${remote.baseUrl('node')}/products-with-cache`)).headers.get('x-cache');
    await ask();
    expect(await ask()).toBe('HIT');
    await remote.deleteCacheKey('products:top100');
    expect(await ask()).toBe('MISS');
  });
});

describe('what is not given or not allowed is not known', () => {
  it('without database and cache: counters are null, and so is what they are', async () => {
    const remote = await open({ databaseUrl: null, redisUrl: null });
    expect(await remote.workCounters()).toEqual({
      keyspaceHits: null,
      keyspaceMisses: null,
      queryCalls: { 'sql/products.sql': null, 'sql/products-where-like.sql': null },
    });
    await remote.settle(true);
    expect(await read(remote, 'postgres')).toEqual({ unreadable: '--database-url is not given' });
    const { postgres, redis } = await remote.fingerprint();
    expect([postgres?.version, redis?.version]).toEqual(['not known', 'not known']);
    expect(lines.join('\n')).toContain('no --database-url: whether each request made its query is not checked');
  });

  it('a role that may not see the statements of others: null, not zero, and said once', async () => {
    await askDatabase(`CREATE ROLE guest LOGIN PASSWORD 'geheim'; GRANT SELECT ON products, loadlab_seed TO guest`);
    const url = new URL(servers.databaseUrl);
    [url.username, url.password] = ['guest', 'geheim'];
    try {
      const remote = await open({ databaseUrl: url.href });
      expect((await remote.workCounters()).queryCalls['sql/products.sql']).toBeNull();
      await remote.workCounters();
      expect(lines.filter((line) => line.includes('pg_read_all_stats'))).toHaveLength(1);
      await remote.stop();
    } finally {
      await askDatabase('REVOKE ALL ON products, loadlab_seed FROM guest; DROP ROLE guest');
    }
  });
});

describe('what does not fit is refused in one line that names the URL', () => {
  it.each<[string, () => Partial<RemoteTarget>, string, RegExp]>([
    [
      'the other stack',
      () => ({ baseUrls: { go: servers.baseUrl('node'), node: servers.baseUrl('go') } }),
      'NOT_OURS',
      /^http:\/\/127\.0\.0\.1:\d+ \(variant \w+\): \S+-api answers as stack \S+-api/,
    ],
    [
      'a database that is not there',
      () => ({ databaseUrl: 'postgres://u:geheim@127.0.0.1:1/d' }),
      'ENVIRONMENT_FAILED',
      /^--database-url postgres:\/\/u:\*\*\*@127\.0\.0\.1:1\/d: /,
    ],
    [
      'a wrong password',
      () => ({ databaseUrl: servers.databaseUrl.replace(/:[^:@]+@/, ':geheim@') }),
      'ENVIRONMENT_FAILED',
      /:\*\*\*@.*password authentication failed/,
    ],
    [
      'a Redis that is not there',
      () => ({ redisUrl: 'redis://:geheim@127.0.0.1:1' }),
      'ENVIRONMENT_FAILED',
      /^--redis-url redis:\/\/:\*\*\*@127\.0\.0\.1:1: /,
    ],
  ])('%s', async (_, change, code, message) => {
    const error = await refusal(openRemote(target(change()), request));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(`${error.message}${error.hint}${lines.join()}`).not.toMatch(/geheim|\n/);
  });

  it('another seed: nothing is loaded', async () => {
    await askDatabase('UPDATE products SET price = price + 1 WHERE id = 1; ANALYZE products');
    try {
      const error = await refusal(openRemote(target(), request));
      expect(error.message).toMatch(/md5 of the rows/);
    } finally {
      await askDatabase('UPDATE products SET price = price - 1 WHERE id = 1');
    }
  });

  it('one process for two variants, whatever its URLs', async () => {
    const node = request.variants.find(({ variant }) => variant.id === 'node')!;
    const twice = ['a', 'b'].map((id) => ({ ...node, variant: { ...node.variant, id } }));
    const port = new URL(servers.baseUrl('node')).port;
    const baseUrls = { a: `http://127.0.0.1:${port}`, b: `http://localhost:${port}` };
    const error = await refusal(openRemote(target({ baseUrls }), { ...request, variants: twice }));
    expect(error.message).toMatch(/\(variant a\) and http:\/\/localhost:\d+ \(variant b\) are one process/);
  });

  // At once: each waits for its whole limit.
  it.concurrent.each<[string, (server: Server) => void, RegExp]>([
    ['one that says nothing', () => undefined, /was not ready within 10 s: no answer within 3 s/],
    [
      'one that is something else',
      (server) => server.on('request', (_, response) => response.end('<html>')),
      /was not ready within 10 s: status 200 with a body that no stack answers: <html>/,
    ],
  ])('%s', async (_, prepare, message) => {
    const server = createServer();
    prepare(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    try {
      const baseUrls = { go: url, node: servers.baseUrl('node') };
      const error = await refusal(openRemote(target({ baseUrls }), request));
      expect(error.message).toMatch(message);
      expect(error.message).toContain(`${url} (variant go)`);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });
});

describe('an API that does not stay what it was ends the study', () => {
  it('restarted: another life, and a cold one', async () => {
    const remote = await open();
    await remote.settle(false);
    await servers.restartApis();
    await expect(remote.settle(false)).rejects.toMatchObject({
      code: 'SERVER_DIED',
      message: expect.stringMatching(/\(variant \w+\) was restarted: pid \d+ before, \d+ now/) as string,
    });
  });

  it('gone: after 10 s, with its URL', async () => {
    const remote = await open();
    const { pid } = servers.components()['api:go'] as { pid: number };
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    await expect(remote.settle(false)).rejects.toMatchObject({
      code: 'SERVER_DIED',
      message: expect.stringContaining(`${remote.baseUrl('go')} (variant go) does not answer any more`) as string,
    });
  });
});
