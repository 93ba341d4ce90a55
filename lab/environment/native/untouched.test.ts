import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { messageOf } from '../../model/errors.ts';
import { fakeRequest, ownDataHome, removeDataHome } from './fixtures/request.ts';
import { startNative } from './index.ts';

/** A server of the user's own on its usual port: one connection, on which one counter is read and nothing else is asked. */
interface Bystander {
  /** What all its clients did so far, this test's own readings left out. */
  count(): Promise<number>;
  close(): Promise<void>;
}

/** PostgreSQL writes a session's statistics down at most once a second. */
const statisticsDelayMs = 1_500;

/** Sessions that were opened and connections that are open, in all databases; this test's one is in every reading. */
async function postgresBystander(): Promise<Bystander> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    // A function, so that pg looks for no password in the environment or in a file.
    password: () => '',
    ssl: false,
    connectionTimeoutMillis: 3_000,
    query_timeout: 3_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return {
    count: async () => {
      const { rows } = await client.query<{ count: string }>(
        'SELECT sum(sessions + numbackends)::text AS count FROM pg_stat_database',
      );
      return Number(rows[0]?.count);
    },
    close: () => client.end(),
  };
}

/** Commands of all clients. */
async function redisBystander(): Promise<Bystander> {
  const client = new Redis({
    host: '127.0.0.1',
    port: 6379,
    lazyConnect: true,
    enableReadyCheck: false,
    disableClientInfo: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    retryStrategy: () => null,
  });
  client.on('error', () => undefined);
  await client.connect();
  let readings = 0;
  const count = async (): Promise<number> => {
    const info = await client.info('commandstats');
    const calls = [...info.matchAll(/[:,](?:calls|rejected_calls)=(\d+)/g)].map((match) => Number(match[1]));
    // A reading counts from the next one on.
    return calls.reduce((sum, value) => sum + value, 0) - readings++;
  };
  try {
    await count();
  } catch (error) {
    client.disconnect();
    throw error;
  }
  return {
    count,
    close: () => {
      client.disconnect();
      return Promise.resolve();
    },
  };
}

let home: string;
beforeAll(async () => {
  home = await ownDataHome();
});
afterAll(async () => {
  await removeDataHome(home);
});

async function useLab(): Promise<void> {
  const environment = await startNative(await fakeRequest(home));
  try {
    const response = await fetch(`${environment.baseUrl('fake')}/products`);
    expect(await response.json()).toHaveLength(100);
    await environment.workCounters();
  } finally {
    await environment.stop();
  }
}

describe('a server of the user’s own', () => {
  it.for([
    ['PostgreSQL on port 5432', postgresBystander],
    ['Redis on port 6379', redisBystander],
  ] as const)('is left alone: %s', async ([name, connect], context) => {
    const bystander = await connect().catch((error: unknown) =>
      context.skip(`no ${name} that can be read without a password: ${messageOf(error)}`),
    );
    try {
      await bystander.count();
      await pause(statisticsDelayMs);
      const early = await bystander.count();
      await pause(statisticsDelayMs);
      const before = await bystander.count();
      if (before !== early) context.skip(`${name} is in use: its counters move by themselves`);
      await useLab();
      await pause(statisticsDelayMs);
      expect(await bystander.count()).toBe(before);
    } finally {
      await bystander.close();
    }
  });
});
