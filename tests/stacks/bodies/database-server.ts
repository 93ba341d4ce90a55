import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Address, Bed, DatabaseServer, StackUnderTest } from '../bed.ts';
import { Catalogue } from '../oracle/catalogue.ts';
import { errorBody } from '../oracle/expected.ts';
import { started } from '../running.ts';
import { until } from '../until.ts';
import { Load, type Outcome } from '../wire/load.ts';
import { get } from '../wire/request.ts';

const path = '/products';
const clients = 4;
const pauseMs = 10;

/** The database's whole server comes late, ends and comes back, under requests: 503 while it is away, 200 as soon as it is there. */
export function databaseServerTests(bed: Bed, stack: StackUnderTest): void {
  describe('a database server', () => {
    let server: DatabaseServer;
    beforeEach(async () => {
      server = await bed.services.newDatabaseServer();
    });
    afterEach(() => server.crash());

    test('that is made after the start: 503 until it is ready, then 200', async () => {
      const process = await started(stack, { databaseUrl: server.database.url });
      const load = await Load.start(process.address, path, clients, pauseMs);
      await load.answered(2 * clients);
      expect(statuses(load.outcomes)).toEqual([503]);
      expect((await get(process.address, '/health?ready=1')).status).toBe(503);

      await server.start();
      await until('the database is used', () => serves(process.address));
      const servedMs = performance.now();
      await load.answered(5 * clients);
      const outcomes = await load.stop();
      await expectGoodAnswers(outcomes);
      expect(statuses(outcomes.filter(({ sentMs }) => sentMs > servedMs))).toEqual([200]);
      expect((await get(process.address, '/health?ready=1')).status).toBe(200);
      expect(process.stderr()).not.toContain('"event":"defect"');
    });

    test('that is stopped, crashes, and starts again: 503 while it is away, 200 before and after', async () => {
      await server.start();
      const process = await started(stack, { databaseUrl: server.database.url });
      const load = await Load.start(process.address, path, clients, pauseMs);
      for (const end of [() => server.stop(), () => server.crash()]) {
        await until('the database is used', () => serves(process.address));
        const servedMs = performance.now();
        await load.answered(5 * clients);
        const endingMs = performance.now();
        await end();
        const awayMs = performance.now();
        await load.answered(5 * clients);
        const startingMs = performance.now();
        await server.start();
        const within = (fromMs: number, toMs: number): Outcome[] =>
          load.outcomes.filter(({ sentMs, endedMs }) => sentMs > fromMs && endedMs < toMs);
        expect(statuses(within(servedMs, endingMs))).toEqual([200]);
        expect(statuses(within(awayMs, startingMs))).toEqual([503]);
      }
      await until('the database is used', () => serves(process.address));
      const servedMs = performance.now();
      await load.answered(5 * clients);
      const outcomes = await load.stop();
      await expectGoodAnswers(outcomes);
      expect(statuses(outcomes.filter(({ sentMs }) => sentMs > servedMs))).toEqual([200]);
      expect(process.stderr()).not.toContain('"event":"defect"');
    });

    /** Every request was answered, with the rows or with the contract's 503. */
    async function expectGoodAnswers(outcomes: readonly Outcome[]): Promise<void> {
      const rows = (await Catalogue.read(server.database, bed.contract)).first();
      const bodies = new Map<number | null, string>([
        [200, rows],
        [503, errorBody('database unavailable')],
      ]);
      expect(outcomes.filter(({ status, body }) => bodies.get(status) !== body).slice(0, 3)).toEqual([]);
    }
  });
}

function statuses(outcomes: readonly Outcome[]): (number | null)[] {
  return [...new Set(outcomes.map(({ status }) => status))];
}

async function serves(address: Address): Promise<true | null> {
  return (await get(address, path)).status === 200 ? true : null;
}
