import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { ownQuestion } from './own-question.ts';

/** Longer than any query of the contract takes, even a hundred in a queue on a slow host. */
const limitMs = 5_000;
const everyMs = 20;

/** What is to be seen of the servers' work at one moment. */
export interface Look {
  readonly isWorking: boolean;
  /** Counters of work done, comparable with those of another look. */
  readonly done: string;
}

/**
 * Waits until nothing is at work, and nothing has moved for `quietMs`: a generator that cuts its last requests off leaves their
 * work running, and the next slice must neither count it nor compete with it. One idle moment does not say that it is over: an
 * API that has queued a hundred requests for its pool is often between two queries. Servers announce no such moment, so they
 * are asked.
 * @returns false when the limit, 5 s, came first.
 */
export async function settle(look: () => Promise<Look>, quietMs: number): Promise<boolean> {
  const deadline = performance.now() + limitMs;
  let quietSince: number | null = null;
  let before: string | null = null;
  for (;;) {
    const { isWorking, done } = await look();
    const now = performance.now();
    if (isWorking || (before !== null && done !== before)) quietSince = null;
    else quietSince ??= now;
    before = done;
    if (quietSince !== null && now - quietSince >= quietMs) return true;
    if (now > deadline) return false;
    await pause(everyMs);
  }
}

/** Whether PostgreSQL works on a query of this role right now; null: of anybody but the lab's own connection. */
export async function isDatabaseWorking(pool: pg.Pool, role: string | null): Promise<boolean> {
  const { rows } = await ownQuestion('PostgreSQL', () =>
    pool.query<{ active: boolean }>(
      `SELECT EXISTS (
         SELECT FROM pg_stat_activity
         WHERE ($1::text IS NULL OR usename = $1) AND state = 'active'
           AND datname = current_database() AND pid <> pg_backend_pid()
       ) AS active`,
      [role],
    ),
  );
  return rows[0]?.active === true;
}
