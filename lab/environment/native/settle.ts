import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ownQuestion } from './own-question.ts';
import { apiRole } from './seed.ts';

/** Longer than any query of the contract takes, even a hundred in a queue on a slow host. */
const limitMs = 5_000;
const everyMs = 20;

/**
 * Waits until PostgreSQL works for no API any more: a generator that cuts its last requests off leaves their queries running, and
 * the next slice must neither count them nor compete with them. PostgreSQL announces no such moment, so it is asked.
 * @returns false when the limit came first.
 */
export async function settleQueries(pool: pg.Pool): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const { rows } = await ownQuestion('PostgreSQL', () =>
      pool.query<{ active: boolean }>(
        "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE usename = $1 AND state = 'active') AS active",
        [apiRole],
      ),
    );
    if (rows[0]?.active === false) return true;
    if (performance.now() > deadline) return false;
    await pause(everyMs);
  }
}
