import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Address, Bed, StackUnderTest } from '../bed.ts';
import { started } from '../running.ts';
import { until } from '../until.ts';
import { Load, type Outcome } from '../wire/load.ts';
import { ask, get } from '../wire/request.ts';
import { headerOf } from '../wire/response.ts';

const path = '/products-with-cache';
const clients = 4;
const pauseMs = 10;
/** More than there are connections to Redis. */
const atOnce = 30;
/** docs/api.md: the database answers within this, whatever Redis does. */
const answerLimitMs = 1_000;
/** docs/api.md: the cache works again within this of Redis. */
const recoveryLimitMs = 2_000;

/** Redis stops, hangs and comes back, under requests: each gets its 200, and the cache recovers by itself. */
export function redisFaultTests(bed: Bed, stack: StackUnderTest): void {
  describe('a Redis that fails', () => {
    beforeEach(async () => {
      await bed.services.redis.resume();
      await bed.services.redis.start();
      await bed.services.redis.command(0, 'FLUSHALL');
    });
    afterEach(async () => {
      await bed.services.redis.resume();
      await bed.services.redis.start();
    });

    test('stopped and started: 200 throughout, MISS while it is away, HIT again soon after', async () => {
      const process = await started(stack);
      const load = await Load.start(process.address, path, clients, pauseMs);
      for (let round = 0; round < 2; round += 1) {
        await until('a HIT under load', () => lastIs(load, 'HIT'));
        await bed.services.redis.stop();
        const downMs = performance.now();
        await load.answered(5 * clients);
        const upMs = performance.now();
        await bed.services.redis.start();
        await recovered(process.address);
        const whileDown = load.outcomes.filter(({ sentMs, endedMs }) => sentMs > downMs && endedMs < upMs);
        expect(whileDown.length).toBeGreaterThan(clients);
        expect(new Set(whileDown.map(({ xCache }) => xCache))).toEqual(new Set(['MISS']));
      }
      expectAllGood(await load.stop());
    });

    test('hanging: the database answers in time, and the cache is back when Redis is', async () => {
      const process = await started(stack);
      const load = await Load.start(process.address, path, clients, pauseMs);
      await until('a HIT under load', () => lastIs(load, 'HIT'));
      await bed.services.redis.pause();
      const pausedMs = performance.now();
      await load.answered(10 * clients);
      const resumedMs = performance.now();
      await bed.services.redis.resume();
      await recovered(process.address);
      const outcomes = await load.stop();
      expectAllGood(outcomes);
      const whilePaused = outcomes.filter(({ sentMs, endedMs }) => sentMs > pausedMs && endedMs < resumedMs);
      expect(new Set(whilePaused.map(({ xCache }) => xCache))).toEqual(new Set(['MISS']));
    });

    test('hanging: many at once are answered in time too', async () => {
      const process = await started(stack);
      // The connections to the database are opened now, not when time is measured.
      await Promise.all(Array.from({ length: atOnce }, () => get(process.address, '/products')));
      await until('a HIT', () => isHit(process.address));
      await bed.services.redis.pause();
      const sentMs = performance.now();
      const answers = await Promise.all(
        Array.from({ length: atOnce }, async () => {
          const { status } = await get(process.address, path);
          return { status, tookMs: performance.now() - sentMs };
        }),
      );
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(answer.tookMs).toBeLessThan(answerLimitMs);
      }
    });

    test('hanging since before the start: answers, and a cache later on', async () => {
      await bed.services.redis.pause();
      const process = await started(stack);
      for (let asked = 0; asked < 3; asked += 1) {
        const sentMs = performance.now();
        const response = await get(process.address, path);
        expect(performance.now() - sentMs).toBeLessThan(answerLimitMs);
        expect([response.status, headerOf(response, 'x-cache')]).toEqual([200, 'MISS']);
      }
      await bed.services.redis.resume();
      await recovered(process.address);
    });

    test('away since before the start: answers, and a cache later on', async () => {
      await bed.services.redis.stop();
      const process = await started(stack);
      const response = await get(process.address, path);
      expect([response.status, headerOf(response, 'x-cache')]).toEqual([200, 'MISS']);
      expect((await ask(process.address, 'GET', '/hello')).status).toBe(200);
      await bed.services.redis.start();
      await recovered(process.address);
    });

    test('every connection killed by Redis: 200 throughout, and HIT again', async () => {
      const process = await started(stack);
      const load = await Load.start(process.address, path, clients, pauseMs);
      for (let round = 0; round < 3; round += 1) {
        await until('a HIT under load', () => lastIs(load, 'HIT'));
        await bed.services.redis.command(0, 'CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
        await load.answered(clients);
      }
      await recovered(process.address);
      expectAllGood(await load.stop());
    });
  });
}

function expectAllGood(outcomes: readonly Outcome[]): void {
  const bad = outcomes.filter(({ status }) => status !== 200);
  expect(bad.slice(0, 3)).toEqual([]);
  const late = outcomes.map(({ sentMs, endedMs }) => endedMs - sentMs).filter((ms) => ms >= answerLimitMs);
  expect(late, `of ${outcomes.length} answers`).toEqual([]);
}

async function lastIs(load: Load, xCache: string): Promise<true | null> {
  return Promise.resolve(load.outcomes.at(-1)?.xCache === xCache ? true : null);
}

async function isHit(address: Address): Promise<true | null> {
  const response = await get(address, path);
  expect(response.status).toBe(200);
  return headerOf(response, 'x-cache') === 'HIT' ? true : null;
}

/** The cache works again, for a client that only asks. */
async function recovered(address: Address): Promise<void> {
  await until('a HIT after Redis is back', () => isHit(address), recoveryLimitMs);
}
