import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Address, Bed, StackProcess, StackUnderTest, TestDatabase } from '../bed.ts';
import { holdProducts, type HeldTable } from '../held-table.ts';
import { busy, expected, seen, unavailable } from '../oracle/expected.ts';
import { started } from '../running.ts';
import { until, within } from '../until.ts';
import { get } from '../wire/request.ts';
import type { Response } from '../wire/response.ts';

const pool = 2;
const clients = 10;

/** A pool that is too small and a table that is locked: bounded waiting, and a process that is well afterwards. */
export function busyTests(bed: Bed, stack: StackUnderTest): void {
  describe('a database that is slow', () => {
    let database: TestDatabase;
    let held: HeldTable | null = null;
    beforeAll(async () => {
      database = await bed.services.newDatabase('seeded');
    });
    afterEach(() => held?.release());

    const isBusy = expected(bed.contract, 'GET', busy);
    const isUnavailable = expected(bed.contract, 'GET', unavailable);

    describe('on a pool of two', () => {
      let process: StackProcess;
      beforeAll(async () => {
        const environment = { DB_POOL_SIZE: String(pool), POOL_TIMEOUT_MS: '1000' };
        process = await stack.start({ databaseUrl: database.url, environment });
      });
      afterAll(() => process.kill());

      test.each(['/products', '/products-where-like', '/products-where-like?q=Oak', '/products-with-cache'])(
        'ten clients, %s: two wait for the table, eight are told that the database is busy',
        async (target) => {
          await bed.services.redis.command(0, 'FLUSHALL');
          await askMany(process.address, '/products', clients);

          held = await holdProducts(database);
          const early: Response[] = [];
          const all = Array.from({ length: clients }, async () => {
            const response = await get(process.address, target);
            early.push(response);
            return response;
          });
          await held.waiting(pool);
          await until('eight refusals', () => Promise.resolve(early.length >= clients - pool ? true : null));
          // The table is still held: whoever has an answer has not got it from there.
          expect(early.map(seen)).toEqual(Array.from({ length: clients - pool }, () => isBusy));
          await held.waiting(pool);

          await held.release();
          const statuses = (await Promise.all(all)).map(({ status }) => status);
          expect(statuses.filter((status) => status === 200)).toHaveLength(pool);
          expect(await askMany(process.address, target, clients)).toEqual(Array.from({ length: clients }, () => 200));
          expect(process.stderr()).not.toContain('"event":"defect"');
        },
      );

      test('what touches no database is served meanwhile', async () => {
        await askMany(process.address, '/products', clients);
        held = await holdProducts(database);
        const stuck = Promise.all([get(process.address, '/products'), get(process.address, '/products')]);
        await held.waiting(pool);
        for (const path of ['/hello', '/health', '/stats']) expect((await get(process.address, path)).status).toBe(200);
        await held.release();
        expect((await stuck).map(({ status }) => status)).toEqual([200, 200]);
      });
    });

    test('a query over its time-out is a 503, and the pool serves again', async () => {
      const environment = { DB_POOL_SIZE: String(pool), QUERY_TIMEOUT_MS: '300' };
      const process = await started(stack, { databaseUrl: database.url, environment });
      expect((await get(process.address, '/products')).status).toBe(200);

      held = await holdProducts(database);
      for (let round = 0; round < 2; round += 1) {
        const responses = await within(
          'answers without the table',
          Promise.all([get(process.address, '/products'), get(process.address, '/products-where-like?q=Oak')]),
        );
        expect(responses.map(seen)).toEqual([isUnavailable, isUnavailable]);
      }
      // What was given up does not go on waiting in the database.
      await held.waiting(0);
      await held.release();

      expect(await askMany(process.address, '/products', clients)).toEqual(Array.from({ length: clients }, () => 200));
      const backends = await database.connect(async (client) => {
        const { rows } = await client.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_stat_activity
           WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        );
        return rows[0]?.count;
      });
      expect(backends).toBeLessThanOrEqual(pool);
    });
  });
}

/** The statuses of `count` requests at once. */
async function askMany(address: Address, target: string, count: number): Promise<number[]> {
  const responses = await Promise.all(Array.from({ length: count }, () => get(address, target)));
  return responses.map(({ status }) => status);
}
