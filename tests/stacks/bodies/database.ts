import { beforeEach, describe, expect, test } from 'vitest';
import type { Address, Bed, StackUnderTest } from '../bed.ts';
import { expected, greeting, seen, unavailable } from '../oracle/expected.ts';
import { started } from '../running.ts';
import { until } from '../until.ts';
import { ask, get } from '../wire/request.ts';

const targets = ['/products', '/products-where-like', '/products-where-like?q=Oak', '/products-with-cache'];

/** A database that is not there, or holds nothing: 503 with Retry-After, and 200 once it comes. */
export function databaseTests(bed: Bed, stack: StackUnderTest): void {
  describe('a database that is away', () => {
    beforeEach(() => bed.services.redis.command(0, 'FLUSHALL'));

    async function expectUnavailable(address: Address): Promise<void> {
      for (const target of targets) {
        for (const method of ['GET', 'HEAD']) {
          const response = await ask(address, method, target);
          expect(seen(response), `${method} ${target}`).toEqual(expected(bed.contract, method, unavailable));
        }
      }
      const hello = await get(address, '/hello');
      expect(seen(hello)).toEqual(expected(bed.contract, 'GET', { status: 200, body: greeting }));
      expect((await get(address, '/products-where-like?q=%zz')).status).toBe(400);
    }

    test('nobody listens there', async () => {
      const process = await started(stack, { databaseUrl: bed.services.absentDatabaseUrl });
      await expectUnavailable(process.address);
      expect((await get(process.address, '/health?ready=1')).status).toBe(503);
    });

    test('it has no such table', async () => {
      const { url } = await bed.services.newDatabase('empty');
      const process = await started(stack, { databaseUrl: url });
      await expectUnavailable(process.address);
      const { status, body } = await get(process.address, '/health?ready=1');
      expect(status).toBe(503);
      expect(JSON.parse(body.toString())).toMatchObject({ database: 'not seeded', seedVersion: null });
    });

    test('there is no such database', async () => {
      const url = new URL(bed.services.database.url);
      url.pathname = '/loadlab_no_such_database';
      const process = await started(stack, { databaseUrl: url.href });
      await expectUnavailable(process.address);
    });

    test('it takes no such password', async () => {
      const url = new URL(bed.services.database.url);
      url.password = 'wrong';
      const process = await started(stack, { databaseUrl: url.href });
      await expectUnavailable(process.address);
      expect(process.stderr()).not.toContain(new URL(bed.services.database.url).password);
    });

    test('it accepts connections and never says a word', async () => {
      const gate = await bed.services.newGate(bed.services.database);
      await gate.stall();
      const environment = { POOL_TIMEOUT_MS: '300', QUERY_TIMEOUT_MS: '300' };
      const process = await started(stack, { databaseUrl: gate.databaseUrl, environment });
      await expectUnavailable(process.address);
      await gate.open();
      await until('the database is used', () => serves(process.address));
      // Those that are open now fall silent in the middle.
      await gate.stall();
      await expectUnavailable(process.address);
    });

    test('it comes after the start, goes, and comes again', async () => {
      const gate = await bed.services.newGate(bed.services.database);
      const process = await started(stack, { databaseUrl: gate.databaseUrl });
      for (let round = 0; round < 2; round += 1) {
        await expectUnavailable(process.address);
        await gate.open();
        await until('the database is used', () => serves(process.address));
        for (let more = 0; more < 10; more += 1) expect((await get(process.address, '/products')).status).toBe(200);
        await gate.close();
        await bed.services.redis.command(0, 'FLUSHALL');
      }
    });
  });
}

async function serves(address: Address): Promise<true | null> {
  const { status } = await get(address, '/products');
  expect([200, 503]).toContain(status);
  return status === 200 ? true : null;
}
