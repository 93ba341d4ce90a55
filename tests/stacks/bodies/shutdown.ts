import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Address, Bed, StackProcess, StackUnderTest, TestDatabase } from '../bed.ts';
import { holdProducts, type HeldTable } from '../held-table.ts';
import { greeting } from '../oracle/expected.ts';
import { started } from '../running.ts';
import { until, within } from '../until.ts';
import { Connection } from '../wire/connection.ts';
import { Load } from '../wire/load.ts';
import { requestText } from '../wire/request.ts';

const inFlight = 8;

/** SIGTERM and SIGINT: what is in flight is answered, the rest closes at once, and the exit code tells how it went. */
export function shutdownTests(bed: Bed, stack: StackUnderTest): void {
  describe('shutdown', () => {
    let database: TestDatabase;
    let held: HeldTable | null = null;
    beforeAll(async () => {
      database = await bed.services.newDatabase('seeded');
    });
    afterEach(() => held?.release());

    /** Connections on each of which a request waits for the table. */
    async function stuckRequests(process: StackProcess, count: number): Promise<Connection[]> {
      held = await holdProducts(database);
      const connections = await openMany(process.address, count);
      for (const connection of connections) connection.send(requestText('GET', '/products'));
      await held.waiting(count);
      return connections;
    }

    test('requests in flight finish, idle and silent connections close at once, exit code 0', async () => {
      const process = await started(stack, { databaseUrl: database.url });
      const stuck = await stuckRequests(process, inFlight);
      const idle = await openMany(process.address, 3);
      for (const connection of idle) {
        connection.send(requestText('GET', '/hello'));
        expect((await connection.next()).body.toString()).toBe(greeting);
      }
      const silent = await openMany(process.address, 2);
      const [slow] = await openMany(process.address, 1);
      slow!.send('GET /hello HTTP/1.1\r\nHost: ');
      await accepted(process);

      process.signal('SIGTERM');
      await within('idle and silent connections close', Promise.all([...idle, ...silent].map(({ ended }) => ended)));
      await within('an unfinished request does not keep it', slow!.ended);
      await until('nobody is accepted any more', () => isRefused(process.address));
      expect(stuck.every(({ isOver }) => !isOver)).toBe(true);

      await held!.release();
      for (const connection of stuck) {
        const response = await connection.next();
        expect(response.status).toBe(200);
        expect(response.headers).toContainEqual(['connection', 'close']);
        await within('an answered connection closes', connection.ended);
      }
      expect(await within('its end', process.exited)).toEqual({ code: 0, signal: null });
      closeAll([...stuck, ...idle, ...silent, slow!]);
    });

    test('under load: every request that was sent before the signal gets its 200', async () => {
      const process = await started(stack, { databaseUrl: database.url });
      const load = await Load.start(process.address, '/products-where-like', 2 * inFlight, 0);
      await until('the load runs', () => Promise.resolve(load.outcomes.length >= 4 * inFlight ? true : null));
      await until('many are in flight', () => Promise.resolve(load.pending >= inFlight ? true : null));
      const signalMs = performance.now();
      process.signal('SIGTERM');
      expect(await within('its end', process.exited)).toEqual({ code: 0, signal: null });
      const outcomes = await load.stop();
      const before = outcomes.filter(({ sentMs }) => sentMs <= signalMs);
      expect(before.filter(({ status }) => status !== 200)).toEqual([]);
      expect(before.filter(({ endedMs }) => endedMs > signalMs).length).toBeGreaterThan(0);
      // A response that has begun is never cut, whenever its request was sent.
      expect(outcomes.filter(({ lost }) => lost !== null && !lost.includes('after nothing'))).toEqual([]);
      expect(outcomes.filter(({ status }) => status !== 200 && status !== null)).toEqual([]);
    });

    test('a request that takes longer than the limit is cut, exit code 1', async () => {
      const process = await started(stack, {
        databaseUrl: database.url,
        environment: { SHUTDOWN_TIMEOUT_MS: '300' },
      });
      const [stuck] = await stuckRequests(process, 1);
      process.signal('SIGTERM');
      expect(await within('its end', process.exited)).toEqual({ code: 1, signal: null });
      await within('the connection ends', stuck!.ended);
      expect(stuck!.unread.length).toBe(0);
    });

    test.each<['SIGTERM' | 'SIGINT', 'SIGTERM' | 'SIGINT']>([
      ['SIGTERM', 'SIGTERM'],
      ['SIGINT', 'SIGINT'],
    ])('%s, then %s: the second signal ends it at once, exit code 1', async (first, second) => {
      const process = await started(stack, {
        databaseUrl: database.url,
        environment: { SHUTDOWN_TIMEOUT_MS: '60000', QUERY_TIMEOUT_MS: '60000' },
      });
      const [stuck] = await stuckRequests(process, 1);
      process.signal(first);
      await until('the first signal is heeded', () => isRefused(process.address));
      process.signal(second);
      // The table is still held, and every other limit is far away.
      expect(await within('its end', process.exited)).toEqual({ code: 1, signal: null });
      stuck!.close();
    });

    test('SIGINT as soon as it listens: exit code 0', async () => {
      const process = await started(stack);
      process.signal('SIGINT');
      expect(await within('its end', process.exited)).toEqual({ code: 0, signal: null });
    });

    test('without a database and without Redis: exit code 0', async () => {
      const away = new URL(bed.services.absentDatabaseUrl);
      const process = await started(stack, { databaseUrl: away.href, redisUrl: `redis://${away.host}` });
      process.signal('SIGTERM');
      expect(await within('its end', process.exited)).toEqual({ code: 0, signal: null });
    });

    test('a client that went away does not keep it', async () => {
      const process = await started(stack, { databaseUrl: database.url, environment: { QUERY_TIMEOUT_MS: '500' } });
      const stuck = await stuckRequests(process, 2);
      closeAll(stuck);
      process.signal('SIGTERM');
      expect(await within('its end', process.exited)).toEqual({ code: 0, signal: null });
    });
  });
}

async function openMany(address: Address, count: number): Promise<Connection[]> {
  return Promise.all(Array.from({ length: count }, () => Connection.open(address)));
}

function closeAll(connections: readonly Connection[]): void {
  for (const connection of connections) connection.close();
}

/** An answer on a later connection: those before it have been accepted too. */
async function accepted({ address }: StackProcess): Promise<void> {
  const [later] = await openMany(address, 1);
  later!.send(requestText('GET', '/hello', { headers: ['Connection: close'] }));
  await later!.next();
  later!.close();
}

async function isRefused(address: Address): Promise<true | null> {
  const connection = await Connection.open(address).catch(() => null);
  connection?.close();
  return connection === null ? true : null;
}
