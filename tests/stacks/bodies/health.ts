import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Address, Bed, StackUnderTest } from '../bed.ts';
import { started } from '../running.ts';
import { until } from '../until.ts';
import { ask, get } from '../wire/request.ts';
import { headerOf, type Response } from '../wire/response.ts';

const Health = z.strictObject({
  status: z.literal('ok'),
  stack: z.string(),
  nonce: z.string(),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  pid: z.int().positive(),
  runtime: z.strictObject({
    name: z.string().min(1),
    version: z.string().regex(/^\d+\.\d+/),
    parallelism: z.int().positive(),
    cpuQuota: z.number().positive().nullable(),
  }),
  pools: z.strictObject({ database: z.int(), redis: z.int() }),
  preparedStatements: z.literal(true),
  contractVersion: z.int(),
});

const Ready = Health.extend({
  ready: z.boolean(),
  database: z.string().min(1),
  cache: z.string().min(1),
  seedVersion: z.string().nullable(),
});

const Stats = z.strictObject({
  pid: z.int().positive(),
  cpuUserMicros: z.int().min(0),
  cpuSystemMicros: z.int().min(0),
  residentBytes: z.int().positive(),
  peakResidentBytes: z.int().positive(),
  threads: z.int().positive(),
});

/** What a stack says of itself. */
export function healthTests(bed: Bed, stack: StackUnderTest): void {
  describe('health and stats', () => {
    beforeEach(() => bed.services.redis.start());

    test('the nonce, the pools and the runtime, without asking anybody', async () => {
      const away = new URL(bed.services.absentDatabaseUrl);
      const process = await started(stack, {
        databaseUrl: away.href,
        redisUrl: `redis://${away.host}`,
        environment: { LOADLAB_NONCE: 'nonce-"ü"', DB_POOL_SIZE: '3', REDIS_POOL_SIZE: '4' },
      });
      const response = await get(process.address, '/health');
      const health = read(Health, response, 200);
      expect(health).toMatchObject({ stack: stack.id, nonce: 'nonce-"ü"', pools: { database: 3, redis: 4 } });
      expect(health.contractVersion).toBe(bed.contract.version);
      expect(headerOf(response, 'content-type')).toBe('application/json; charset=utf-8');
    });

    test('ready: 200 with everything, 503 without the database or without Redis', async () => {
      const gate = await bed.services.newGate(bed.services.database);
      await gate.open();
      const process = await started(stack, { databaseUrl: gate.databaseUrl });
      const ready = await readyAtLast(process.address);
      expect(ready).toMatchObject({ ready: true, database: 'ok', cache: 'ok' });
      expect(ready.seedVersion).toBe(bed.contract.seed.version);

      await gate.close();
      const closed = await readiness(process.address, 503);
      expect(closed).toMatchObject({ ready: false, cache: 'ok', seedVersion: null });
      expect(closed.database).not.toBe('ok');

      await gate.open();
      await bed.services.redis.stop();
      const cacheless = await readiness(process.address, 503);
      expect(cacheless).toMatchObject({ ready: false, database: 'ok', seedVersion: bed.contract.seed.version });
      expect(cacheless.cache).not.toBe('ok');
      await bed.services.redis.start();
      // Without ?ready=1 nobody is asked, and the answer stays what it was.
      read(Health, await get(process.address, '/health'), 200);
    });

    test('ready: 503 with a database that is not seeded, or seeded by another version', async () => {
      const database = await bed.services.newDatabase('seeded');
      const process = await started(stack, { databaseUrl: database.url });
      await readyAtLast(process.address);

      await database.connect((client) => client.query("UPDATE loadlab_seed SET version = '0'"));
      expect(await readiness(process.address, 503)).toMatchObject({
        ready: false,
        database: `seed version 0 instead of ${bed.contract.seed.version}`,
        cache: 'ok',
        seedVersion: '0',
      });
      await database.connect((client) => client.query('DELETE FROM loadlab_seed'));
      expect(await readiness(process.address, 503)).toMatchObject({ database: 'not seeded', seedVersion: null });
    });

    test('stats grow with work, and both take GET only', async () => {
      const process = await started(stack);
      const before = read(Stats, await get(process.address, '/stats'), 200);
      for (let asked = 0; asked < 200; asked += 1) await get(process.address, '/products');
      const after = read(Stats, await get(process.address, '/stats'), 200);
      expect(after.pid).toBe(read(Health, await get(process.address, '/health'), 200).pid);
      expect(after.pid).toBe(before.pid);
      expect(cpu(after)).toBeGreaterThan(cpu(before));
      expect(after.cpuUserMicros).toBeGreaterThanOrEqual(before.cpuUserMicros);
      expect(after.peakResidentBytes).toBeGreaterThanOrEqual(before.peakResidentBytes);

      for (const path of ['/health', '/stats']) {
        expect((await ask(process.address, 'POST', path)).status, path).toBe(405);
      }
    });
  });
}

function cpu(stats: z.infer<typeof Stats>): number {
  return stats.cpuUserMicros + stats.cpuSystemMicros;
}

async function readiness(address: Address, status: number): Promise<z.infer<typeof Ready>> {
  return read(Ready, await get(address, '/health?ready=1'), status);
}

/** A stack listens at once, and connects meanwhile. */
async function readyAtLast(address: Address): Promise<z.infer<typeof Ready>> {
  const ready = await until('the stack is ready', async () => {
    const response = await get(address, '/health?ready=1');
    return response.status === 503 ? null : response;
  });
  return read(Ready, ready, 200);
}

function read<T>(shape: z.ZodType<T>, response: Response, status: number): T {
  expect(response.status).toBe(status);
  return shape.parse(JSON.parse(response.body.toString()));
}
