import { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../events/log.ts';
import { Outage } from '../events/outage.ts';
import { FickleProxy } from '../testing/fickle-proxy.ts';
import { redis as need } from '../testing/needs.ts';
import { Cache } from './cache.ts';

const key = 'loadlab:test:cache';
const timeoutMs = 100;

describe.skipIf(need.missing)(`the cache${need.note}`, () => {
  let proxy: FickleProxy;
  let cache: Cache;
  let redis: Redis;
  let lines: string[];

  beforeEach(async () => {
    lines = [];
    redis = new Redis(need.url);
    await redis.del(key);
    proxy = await FickleProxy.to(need.url);
    const outage = new Outage(
      createLog((line) => lines.push(line)),
      'cache',
    );
    cache = new Cache({ url: `redis://127.0.0.1:${proxy.port}`, poolSize: 5, timeoutMs }, outage);
    await untilItAnswers();
  });

  afterEach(async () => {
    cache.close();
    proxy.close();
    await redis.quit();
  });

  async function untilItAnswers() {
    // The contract's bound on coming back.
    await vi.waitUntil(() => cache.ping(), { timeout: 2000, interval: 10 });
  }

  it('keeps an entry for its time to live', async () => {
    expect(await cache.get(key)).toEqual({ kind: 'miss' });
    expect(await cache.set(key, 'Größe 🎁', 60)).toBe(true);
    expect(await cache.get(key)).toEqual({ kind: 'hit', value: Buffer.from('Größe 🎁') });
    expect(await redis.ttl(key)).toBeGreaterThan(50);
  });

  it('takes an entry of another type for a miss, and replaces it', async () => {
    await redis.lpush(key, 'x');
    expect(await cache.get(key)).toEqual({ kind: 'miss' });
    expect(await cache.set(key, 'text', 60)).toBe(true);
    expect(await redis.get(key)).toBe('text');
  });

  it('waits one time-out for a Redis that hangs, then not at all, and is back within 2 s', async () => {
    await cache.set(key, 'before', 60);
    proxy.swallow();
    const startMs = performance.now();
    expect(await cache.get(key)).toEqual({ kind: 'away' });
    expect(performance.now() - startMs).toBeLessThan(1000);
    const many = await Promise.all(Array.from({ length: 200 }, () => cache.get(key)));
    expect(new Set(many.map((found) => found.kind))).toEqual(new Set(['away']));

    proxy.pass();
    await untilItAnswers();
    expect(await cache.get(key)).toEqual({ kind: 'hit', value: Buffer.from('before') });
    expect(lines.map((line) => /"event":"([\w-]+)"/.exec(line)?.[1])).toEqual(['cache-down', 'cache-up']);
  });

  it('does not mix up answers after one was late', async () => {
    await redis.set(`${key}:1`, 'one', 'EX', 60);
    await redis.set(`${key}:2`, 'two', 'EX', 60);
    await redis.client('PAUSE', 3 * timeoutMs, 'ALL');
    const late = await Promise.all(Array.from({ length: 20 }, () => cache.get(`${key}:1`)));
    expect(new Set(late.map((found) => found.kind))).toEqual(new Set(['away']));
    await untilItAnswers();
    const two = await Promise.all(Array.from({ length: 20 }, () => cache.get(`${key}:2`)));
    expect(two).toEqual(two.map(() => ({ kind: 'hit', value: Buffer.from('two') })));
    await redis.del(`${key}:1`, `${key}:2`);
  });

  it('uses no other database than that of its URL', async () => {
    const elsewhere = new Cache(
      { url: `redis://127.0.0.1:${proxy.port}/99999`, poolSize: 2, timeoutMs },
      new Outage(
        createLog((line) => lines.push(line)),
        'cache',
      ),
    );
    await vi.waitUntil(() => lines.join('').includes('DB index'), { timeout: 2000, interval: 10 });
    expect(await elsewhere.get(key)).toEqual({ kind: 'away' });
    elsewhere.close();
  });

  it('comes back after its connections were cut', async () => {
    await redis.client('KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
    await untilItAnswers();
    expect(await cache.set(key, 'again', 60)).toBe(true);
  });
});

it('does not wait for a Redis that is not there', async () => {
  const nobody = await FickleProxy.to('redis://127.0.0.1:1');
  const { port } = nobody;
  nobody.close();
  const cache = new Cache(
    { url: `redis://127.0.0.1:${port}`, poolSize: 2, timeoutMs: 10_000 },
    new Outage(
      createLog(() => undefined),
      'cache',
    ),
  );
  expect(await cache.get(key)).toEqual({ kind: 'away' });
  expect(await cache.set(key, 'x', 1)).toBe(false);
  cache.close();
});
