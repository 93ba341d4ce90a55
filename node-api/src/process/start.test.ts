import { join } from 'node:path';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../events/log.ts';
import { database, redis as cacheServer } from '../testing/needs.ts';
import { configure } from './configure.ts';
import { start, type Running } from './start.ts';

const missing = database.missing || cacheServer.missing;

describe.skipIf(missing)(`the stack${database.note}${cacheServer.note}`, () => {
  let running: Running;
  let redis: Redis;
  const lines: string[] = [];
  let entry: { key: string; ttlSeconds: number };

  beforeAll(async () => {
    const environment = { DATABASE_URL: database.url, REDIS_URL: cacheServer.url, LOADLAB_NONCE: 'nonce' };
    const configured = configure(environment, join(import.meta.dirname, '../..'));
    entry = configured.loaded.contract.endpoints.find((endpoint) => endpoint.cache)!.cache!;
    redis = new Redis(cacheServer.url);
    running = await start(
      { ...configured, config: { ...configured.config, port: 0 } },
      createLog((line) => lines.push(line)),
    );
    await vi.waitUntil(async () => (await ask('/health?ready=1')).status === 200, { timeout: 5000, interval: 20 });
  });

  afterAll(async () => {
    await running.drain();
    await running.release();
    await redis.quit();
  });

  beforeEach(async () => {
    await redis.del(entry.key);
  });

  async function ask(path: string) {
    const response = await fetch(running.url + path);
    return { status: response.status, body: await response.text(), cache: response.headers.get('x-cache') };
  }

  it('says where it listens', () => {
    expect(lines[0]).toBe(`{"level":"info","event":"listening","url":"${running.url}"}\n`);
  });

  it('serves the first hundred rows, from the database and from the cache, to the byte', async () => {
    const { status, body, cache } = await ask('/products');
    expect({ status, cache }).toEqual({ status: 200, cache: null });
    expect(JSON.parse(body)).toMatchObject({ count: 100 });
    expect(await ask('/products-with-cache')).toEqual({ status: 200, body, cache: 'MISS' });
    expect(await ask('/products-with-cache')).toEqual({ status: 200, body, cache: 'HIT' });
    expect(await redis.get(entry.key)).toBe(body);
    expect(await redis.ttl(entry.key)).toBeGreaterThan(entry.ttlSeconds - 5);
  });

  it.each(['', '{"count":1', 'null', '[]}'])('replaces the entry %j, which it cannot use', async (text) => {
    await redis.set(entry.key, text);
    expect(await ask('/products-with-cache')).toMatchObject({ status: 200, cache: 'MISS' });
    expect(await ask('/products-with-cache')).toMatchObject({ status: 200, cache: 'HIT' });
  });

  it('searches for the default, for a text, and for nothing', async () => {
    const byDefault = await ask('/products-where-like');
    expect(byDefault.body).toContain('Walnut desk');
    expect(await ask('/products-where-like?q=Walnut')).toEqual(byDefault);
    expect((await ask('/products-where-like?q=')).body).toBe((await ask('/products')).body);
    expect(await ask('/products-where-like?q=no+such')).toMatchObject({ body: '{"count":0,"products":[]}' });
  });

  it('refuses a search that cannot be told', async () => {
    expect(await ask('/products-where-like?q=%FF')).toEqual({ status: 400, body: '{"error":"bad q"}', cache: null });
  });

  it('tells its health', async () => {
    const { body } = await ask('/health?ready=1');
    expect(JSON.parse(body)).toMatchObject({
      status: 'ok',
      stack: 'node-api',
      nonce: 'nonce',
      runtime: { name: 'node' },
      preparedStatements: true,
      contractVersion: 1,
      ready: true,
      database: 'ok',
      cache: 'ok',
      seedVersion: '1',
    });
    expect(JSON.parse((await ask('/health')).body)).not.toHaveProperty('ready');
  });

  it('tells what it has used', async () => {
    const stats = JSON.parse((await ask('/stats')).body) as Record<string, number>;
    expect(stats.pid).toBe(process.pid);
    expect(stats.cpuUserMicros).toBeGreaterThan(0);
    expect(stats.residentBytes).toBeGreaterThan(1024 * 1024);
  });
});

describe('the stack without its servers', () => {
  it('listens, and answers what needs none of them', async () => {
    const nowhere = { DATABASE_URL: 'postgres://u:p@127.0.0.1:1/lab', REDIS_URL: 'redis://127.0.0.1:1' };
    const configured = configure(nowhere, join(import.meta.dirname, '../..'));
    const running = await start(
      { ...configured, config: { ...configured.config, port: 0 } },
      createLog(() => undefined),
    );
    const ask = async (path: string) => {
      const response = await fetch(running.url + path);
      return `${response.status} ${await response.text()}`;
    };
    expect(await ask('/hello')).toBe('200 {"message":"Hello!"}');
    expect(await ask('/products')).toBe('503 {"error":"database unavailable"}');
    expect(await ask('/products-with-cache')).toBe('503 {"error":"database unavailable"}');
    expect(await ask('/health?ready=1')).toMatch(
      /^503 .*"ready":false,"database":"unavailable","cache":"unavailable","seedVersion":null\}$/,
    );
    await running.drain();
    await running.release();
  });
});
