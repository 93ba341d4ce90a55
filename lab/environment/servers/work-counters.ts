import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import type pg from 'pg';
import type { Contract } from '../../model/contract.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import type { WorkDone } from '../../model/measurement.ts';
import { ownQuestion } from './own-question.ts';
import { infoField } from './redis-client.ts';

/** The contract's query files, each with the identifier under which pg_stat_statements counts it; null: it cannot be counted. */
export type QueryIds = ReadonlyMap<string, string | null>;

/** The contract's query files. */
export function queryFiles({ endpoints }: Contract): string[] {
  return [...new Set(endpoints.flatMap(({ query }) => query?.file ?? []))];
}

/**
 * Asks PostgreSQL itself which identifier a query gets: pg_stat_statements stores texts with their constants replaced
 * (`LIMIT 100` as `LIMIT $2`), so texts do not compare. EXPLAIN with GENERIC_PLAN (PostgreSQL 16) takes the parameters
 * as they stand, and executes nothing. Throws a LabError ENVIRONMENT_FAILED when PostgreSQL names none.
 */
export async function findQueryIds(pool: pg.Pool, contract: Contract, contractDir: string): Promise<QueryIds> {
  const ids = new Map<string, string>();
  for (const file of queryFiles(contract)) {
    const sql = await readFile(join(contractDir, file), 'utf8');
    const { rows } = await ownQuestion('PostgreSQL', () =>
      pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (VERBOSE, GENERIC_PLAN) ${sql}`),
    );
    const id = /^Query Identifier: (-?\d+)$/m.exec(rows.map((row) => row['QUERY PLAN']).join('\n'))?.[1];
    if (id === undefined) {
      throw new LabError(
        'ENVIRONMENT_FAILED',
        `PostgreSQL gives ${file} no query identifier`,
        'Is compute_query_id on?',
      );
    }
    ids.set(file, id);
  }
  return ids;
}

/** Where work is counted. */
export interface Counting {
  /** null: PostgreSQL is not asked. */
  readonly pool: pg.Pool | null;
  /** null: Redis is not asked. */
  readonly redis: Redis | null;
  readonly queryIds: QueryIds;
  /** The APIs' role, whose work alone counts; null: not known, so everybody's does. The lab itself never runs these queries. */
  readonly role: string | null;
  readonly report: (line: string) => void;
}

/** Null where a server is not asked, or does not answer. */
export async function readWorkCounters({ pool, redis, queryIds, role, report }: Counting): Promise<WorkDone> {
  const [calls, keyspace] = await Promise.all([
    pool === null
      ? null
      : readCalls(pool, queryIds, role).catch((error: unknown) => {
          report(`PostgreSQL: pg_stat_statements could not be read: ${messageOf(error)}`);
          return null;
        }),
    redis === null
      ? ''
      : redis.info('stats').catch((error: unknown) => {
          report(`Redis: INFO stats could not be read: ${messageOf(error)}`);
          return '';
        }),
  ]);
  return {
    keyspaceHits: integer(infoField(keyspace, 'keyspace_hits')),
    keyspaceMisses: integer(infoField(keyspace, 'keyspace_misses')),
    queryCalls: Object.fromEntries([...queryIds.keys()].map((file) => [file, calls?.get(file) ?? null])),
  };
}

async function readCalls(
  pool: pg.Pool,
  ids: QueryIds,
  role: string | null,
): Promise<Map<string, number | null> | null> {
  if ([...ids.values()].every((id) => id === null)) return null;
  const { rows } = await pool.query<{ id: string; calls: string }>(
    `SELECT queryid::text AS id, sum(calls)::text AS calls
     FROM pg_stat_statements
     WHERE ($1::text IS NULL OR userid = $1::regrole) AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())
     GROUP BY queryid`,
    [role],
  );
  const byId = new Map(rows.map((row) => [row.id, Number(row.calls)]));
  // A query that was never called has no row: that is a true zero.
  return new Map([...ids].map(([file, id]) => [file, id === null ? null : (byId.get(id) ?? 0)]));
}

function integer(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}
