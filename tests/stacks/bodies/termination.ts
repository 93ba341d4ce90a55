import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Bed, StackProcess, StackUnderTest, TestDatabase } from '../bed.ts';
import { errorBody } from '../oracle/expected.ts';
import { until } from '../until.ts';
import { Load } from '../wire/load.ts';
import { get } from '../wire/request.ts';

const clients = 6;

/** Database connections that the server ends: at most one 503 for each, and the process lives. */
export function terminationTests(bed: Bed, stack: StackUnderTest): void {
  describe('database connections terminated', () => {
    let database: TestDatabase;
    let process: StackProcess;
    beforeAll(async () => {
      database = await bed.services.newDatabase('seeded');
      process = await stack.start({ databaseUrl: database.url });
    });
    afterAll(() => process.kill());

    /** Ends all connections of the stack, and says how many there were. */
    async function terminateAll(): Promise<number> {
      return database.connect(async (client) => {
        const { rowCount } = await client.query(
          `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
           WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()`,
        );
        return rowCount ?? 0;
      });
    }

    test('under requests', async () => {
      const load = await Load.start(process.address, '/products-where-like', clients, 0);
      let terminated = 0;
      for (let round = 0; round < 3; round += 1) {
        const before = load.outcomes.length;
        await until('requests are answered', () => {
          const recent = load.outcomes.slice(before);
          const isWell = recent.length >= 5 * clients && recent.slice(-clients).every(({ status }) => status === 200);
          return Promise.resolve(isWell ? true : null);
        });
        terminated += await terminateAll();
      }
      await until('requests are answered again', async () =>
        (await get(process.address, '/products')).status === 200 ? true : null,
      );
      const outcomes = await load.stop();
      expect(terminated).toBeGreaterThanOrEqual(3);
      const failed = outcomes.filter(({ status }) => status !== 200);
      expect(failed.filter(({ body }) => body !== errorBody('database unavailable'))).toEqual([]);
      expect(failed.length).toBeLessThanOrEqual(terminated);
      for (let more = 0; more < 20; more += 1) expect((await get(process.address, '/products')).status).toBe(200);
      expect(process.stderr()).not.toContain('"event":"defect"');
    });

    test('while nothing is asked: the next requests do not notice', async () => {
      await Promise.all(Array.from({ length: clients }, () => get(process.address, '/products')));
      expect(await terminateAll()).toBeGreaterThan(0);
      for (let more = 0; more < 10; more += 1) {
        expect((await get(process.address, '/products')).status).toBe(200);
      }
    });
  });
}
