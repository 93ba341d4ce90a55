import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Bed, StackProcess, StackUnderTest } from '../bed.ts';
import { Catalogue } from '../oracle/catalogue.ts';
import { expected, seen } from '../oracle/expected.ts';
import { ask } from '../wire/request.ts';

const path = '/products-with-cache';

/** Cache-aside, with a Redis that works: what is stored, for how long, and what replaces an entry that is of no use. */
export function cacheTests(bed: Bed, stack: StackUnderTest): void {
  describe('cache', () => {
    const { key, ttlSeconds } = bed.contract.endpoints.find((endpoint) => endpoint.path === path)!.cache!;
    const redis = (name: string, ...args: string[]): Promise<unknown> => bed.services.redis.command(0, name, ...args);
    let process: StackProcess;
    let body: string;
    beforeAll(async () => {
      body = (await Catalogue.read(bed.services.database, bed.contract)).first();
      process = await stack.start();
    });
    afterAll(() => process.kill());
    beforeEach(() => redis('FLUSHALL'));

    async function expectAnswer(xCache: 'HIT' | 'MISS', method = 'GET'): Promise<void> {
      const response = await ask(process.address, method, path);
      expect(seen(response)).toEqual(expected(bed.contract, method, { status: 200, body, xCache }));
    }

    async function expectStored(): Promise<void> {
      expect(await redis('GET', key)).toBe(body);
      const left = Number(await redis('TTL', key));
      expect(left).toBeLessThanOrEqual(ttlSeconds);
      expect(left).toBeGreaterThan(ttlSeconds - 10);
    }

    test('a MISS stores the body with its time to live, and the next is a HIT', async () => {
      await expectAnswer('MISS');
      await expectStored();
      await expectAnswer('HIT');
      await expectAnswer('HIT', 'HEAD');
    });

    test('a HEAD stores it as well', async () => {
      await expectAnswer('MISS', 'HEAD');
      await expectStored();
      await expectAnswer('HIT');
    });

    test('a HIT is what Redis holds, and does not make the entry live longer', async () => {
      const held = '{"count":0,"products":[]}';
      await redis('SET', key, held, 'EX', '30');
      const response = await ask(process.address, 'GET', path);
      expect(seen(response)).toEqual(expected(bed.contract, 'GET', { status: 200, body: held, xCache: 'HIT' }));
      expect(Number(await redis('TTL', key))).toBeLessThanOrEqual(30);
    });

    test('an entry that is deleted is a MISS, then a HIT again', async () => {
      await expectAnswer('MISS');
      await redis('DEL', key);
      await expectAnswer('MISS');
      await expectAnswer('HIT');
    });

    test('an entry whose time is over is a MISS', async () => {
      await expectAnswer('MISS');
      await redis('PEXPIRE', key, '0');
      await expectAnswer('MISS');
      await expectAnswer('HIT');
    });

    test.each<[string, (whole: string) => string[]]>([
      ['a list', () => ['RPUSH', key, 'a', 'b']],
      ['a hash', () => ['HSET', key, 'field', 'value']],
      ['a set', () => ['SADD', key, 'a']],
      ['empty', () => ['SET', key, '']],
      ['cut by one byte', (whole) => ['SET', key, whole.slice(0, -1)]],
      ['cut in the middle', (whole) => ['SET', key, whole.slice(0, 4000)]],
      ['without its start', (whole) => ['SET', key, whole.slice(1)]],
      ['followed by something', (whole) => ['SET', key, `${whole}\n`]],
      ['other JSON', () => ['SET', key, '{"products":[]}']],
      ['foreign text', () => ['SET', key, '<html>maintenance</html>']],
      ['only its first bytes', () => ['SET', key, '{"count":']],
      ['only its last bytes', () => ['SET', key, ']}']],
      ['one that never expires and is of no use', () => ['SET', key, 'x']],
    ])('an entry that is of no use is a MISS and is replaced: %s', async (_, spoil) => {
      const [name, ...args] = spoil(body);
      await redis(name!, ...args);
      await expectAnswer('MISS');
      await expectStored();
      await expectAnswer('HIT');
    });

    test('a HIT needs no database', async () => {
      const other = await stack.start({ databaseUrl: bed.services.absentDatabaseUrl });
      try {
        expect((await ask(other.address, 'GET', path)).status).toBe(503);
        expect(await redis('EXISTS', key)).toBe(0);
        await expectAnswer('MISS');
        const response = await ask(other.address, 'GET', path);
        expect(seen(response)).toEqual(expected(bed.contract, 'GET', { status: 200, body, xCache: 'HIT' }));
      } finally {
        await other.kill();
      }
    });
  });
}
