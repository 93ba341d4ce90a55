import pg from 'pg';
import type { TestDatabase } from './bed.ts';
import { until } from './until.ts';

/** A table that nobody else can read until it is released. */
export interface HeldTable {
  /** Waits until exactly `count` queries wait for it. */
  waiting(count: number): Promise<void>;
  release(): Promise<void>;
}

/** Locks the products of a database of the tests' own, on a connection of its own. */
export async function holdProducts({ url }: TestDatabase): Promise<HeldTable> {
  const client = new pg.Client({ connectionString: url, application_name: 'loadlab-tests' });
  client.on('error', () => undefined);
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE products IN ACCESS EXCLUSIVE MODE');
  let isHeld = true;
  return {
    waiting: async (count) => {
      await until(`${count} queries wait for the table`, async () => {
        const { rows } = await client.query<{ waiting: number }>(
          `SELECT count(*)::int AS waiting FROM pg_locks
           WHERE NOT granted AND relation = 'products'::regclass`,
        );
        return rows[0]?.waiting === count ? true : null;
      });
    },
    release: async () => {
      if (!isHeld) return;
      isHeld = false;
      await client.end();
    },
  };
}
