import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { repositoryRoot } from '../../contract/root.ts';
import { fakeRequest, isAlive, listens, ownDataHome, removeDataHome } from './fixtures/request.ts';
import { startNative } from './index.ts';
import type { NativeEnvironment } from './native-environment.ts';

let home: string;
let environment: NativeEnvironment;

beforeAll(async () => {
  home = await ownDataHome();
  vi.stubEnv('NODE_OPTIONS', '--max-old-space-size=100');
  vi.stubEnv('PGOPTIONS', '-c search_path=nowhere');
  vi.stubEnv('GOMAXPROCS', '1');
  environment = await startNative(await fakeRequest(home, { environment: { FAKE_SETTING: 'yes' } }));
});
afterAll(async () => {
  await environment.stop();
  await removeDataHome(home);
});

async function ask(path: string, from = environment): Promise<unknown> {
  const response = await fetch(from.baseUrl('fake') + path);
  return response.json();
}

async function askDatabase<T extends pg.QueryResultRow>(sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: environment.databaseUrl, options: '-c search_path=public' });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

const pids = (of: NativeEnvironment): number[] => Object.values(of.components()).map(({ pid }) => pid);

describe('a native environment', () => {
  it('proves every server its own: one nonce as a row, as a key and on /health', async () => {
    const [row] = await askDatabase<{ nonce: string }>('SELECT nonce FROM loadlab.identity');
    expect(row?.nonce).toMatch(/^[0-9a-f]{32}$/);
    const redis = new Redis(environment.redisUrl);
    expect(await redis.get('loadlab:nonce')).toBe(row?.nonce);
    redis.disconnect();
    expect(await ask('/health')).toMatchObject({ nonce: row?.nonce });
  });

  it('gives the API its own environment and nothing of the user’s', async () => {
    const given = (await ask('/environment')) as Record<string, string>;
    const known = [
      'CONTRACT_DIR',
      'DATABASE_URL',
      'FAKE_SETTING',
      'HOME',
      'HOST',
      'LANG',
      'LOADLAB_NONCE',
      'PATH',
      'PORT',
    ];
    expect(
      Object.keys(given)
        .filter((name) => name !== 'TMPDIR')
        .sort(),
    ).toEqual([...known, 'REDIS_URL', 'TZ']);
    expect(given.DATABASE_URL).toContain('loadlab_api');
  });

  it('lets the API’s role read and not write', async () => {
    const { DATABASE_URL: url } = (await ask('/environment')) as { DATABASE_URL: string };
    const client = new pg.Client({ connectionString: url, options: '-c search_path=public' });
    await client.connect();
    await expect(client.query('DELETE FROM products')).rejects.toThrow(/permission denied/);
    await client.end();
  });

  it('counts what the API asked, and not what the lab asked', async () => {
    const before = await environment.workCounters();
    for (const path of ['/products', '/products', '/products', '/products-where-like']) await ask(path);
    await askDatabase(readFileSync(join(repositoryRoot, 'contract/sql/products.sql'), 'utf8'));
    await ask('/cached');
    await ask('/cache');
    await ask('/cached');
    await ask('/cached');
    await environment.deleteCacheKey('products:top100');
    expect(await ask('/cached')).toBeNull();
    const after = await environment.workCounters();
    const calls = (file: string): number => after.queryCalls[file]! - before.queryCalls[file]!;
    expect(calls('sql/products.sql')).toBe(3);
    expect(calls('sql/products-where-like.sql')).toBe(1);
    expect(after.keyspaceHits! - before.keyspaceHits!).toBe(2);
    expect(after.keyspaceMisses! - before.keyspaceMisses!).toBe(2);
  });

  it('reads counters again after its connections were terminated', async () => {
    await askDatabase(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname IS NOT NULL',
    );
    // The end of its own connection reaches the lab a moment later; a question in between fails, as null.
    const calls = async (): Promise<number> => (await environment.workCounters()).queryCalls['sql/products.sql'] ?? -1;
    await expect.poll(calls).toBeGreaterThanOrEqual(3);
  });

  it('says what runs', async () => {
    const { postgres, redis, 'api:fake': api } = await environment.fingerprint();
    expect(postgres).toMatchObject({ name: 'PostgreSQL', pools: null });
    expect(postgres?.version).toMatch(/^16\./);
    expect(postgres?.settings).toMatchObject({
      max_connections: '200',
      shared_preload_libraries: 'pg_stat_statements',
    });
    expect(Number(redis?.version.split('.')[0])).toBeGreaterThanOrEqual(7);
    expect(redis?.settings).toMatchObject({ appendonly: 'no', save: '' });
    expect(api).toMatchObject({ name: 'fake', parallelism: 1, pools: { database: 4, redis: 1 } });
    expect(api?.settings).toMatchObject({ FAKE_SETTING: 'yes', preparedStatements: 'true' });
  });

  it.runIf(process.platform === 'linux')('gives each component a session of its own', () => {
    const sessions = [process.pid, ...pids(environment)].map(
      (pid) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3],
    );
    expect(new Set(sessions).size).toBe(sessions.length);
    expect(environment.schedulingGroups).toMatch(/^session per component/);
  });

  it('listens on 127.0.0.1 only', async () => {
    const [setting] = await askDatabase<{ addresses: string; sockets: string }>(
      `SELECT current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets`,
    );
    expect(setting).toEqual({ addresses: '127.0.0.1', sockets: '' });
  });

  it('restarts the APIs alone, and proves them again', async () => {
    const before = environment.components();
    const url = environment.baseUrl('fake');
    await environment.restartApis();
    const after = environment.components();
    expect(after.postgres).toEqual(before.postgres);
    expect(after.redis).toEqual(before.redis);
    expect(after['api:fake']?.pid).not.toBe(before['api:fake']?.pid);
    expect(isAlive(before['api:fake']!.pid)).toBe(false);
    expect(environment.baseUrl('fake')).toBe(url);
    expect(environment.failed.aborted).toBe(false);
  });

  it('lets a second lab work beside it, in a folder that goes with it', async () => {
    const request = await fakeRequest(home, { logDir: join(home, 'logs-2') });
    const second = await startNative(request);
    try {
      expect(request.lines.join('\n')).toContain('making a temporary database');
      expect(await ask('/products', second)).toEqual(await ask('/products'));
      expect(second.databaseUrl).not.toBe(environment.databaseUrl);
    } finally {
      await second.stop();
    }
    expect((await readdir(join(home, 'data'))).filter((name) => name.startsWith('temporary'))).toEqual([]);
  });

  it('stops twice, leaves no process and no open port, and keeps the database', async () => {
    const running = pids(environment);
    const urls = [environment.databaseUrl, environment.redisUrl, environment.baseUrl('fake')];
    await Promise.all([environment.stop(), environment.stop()]);
    expect(running.filter(isAlive)).toEqual([]);
    for (const url of urls) expect(await listens(url)).toBe(false);
    expect(environment.failed.aborted).toBe(false);

    const request = await fakeRequest(home);
    environment = await startNative(request);
    expect(request.lines.join('\n')).not.toContain('making');
    expect(await ask('/products')).toHaveLength(100);
  });
});
