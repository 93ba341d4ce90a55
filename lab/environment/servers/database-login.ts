import pg from 'pg';
import type { Contract } from '../../model/contract.ts';

/** The role that owns everything, for the lab itself. */
export const ownerRole = 'loadlab';
/** The role of the APIs: its calls are counted apart from the lab's own. */
export const apiRole = 'loadlab_api';
export const databaseName = 'loadlab';

export interface Login {
  /** 127.0.0.1 when left out. */
  readonly host?: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

/** Bounds every wait of the lab's own for PostgreSQL: one that stalls must not keep a study from ending. */
const connectLimitMs = 5_000;
const queryLimitMs = 15_000;

/** Everything is said, so that no PG… variable of the user's environment fills a gap. */
export function connection(login: Login): pg.ClientConfig {
  return {
    host: '127.0.0.1',
    ...login,
    ssl: false,
    application_name: 'loadlab',
    client_encoding: 'UTF8',
    options: '-c search_path=public',
    connectionTimeoutMillis: connectLimitMs,
    query_timeout: queryLimitMs,
  };
}

/** What differs from the contract's seed, as one line; null when version, number of rows and md5 are right. */
export async function seedDifference(client: pg.ClientBase | pg.Pool, contract: Contract): Promise<string | null> {
  const { seed } = contract;
  const versions = await client.query<{ version: string }>('SELECT version FROM loadlab_seed');
  const version = versions.rows[0]?.version;
  if (version !== seed.version) return `seed version ${version ?? 'missing'} instead of ${seed.version}`;
  const { rows } = await client.query<{ rows: string; md5: string | null }>(
    `SELECT count(*)::text AS rows,
            md5(string_agg(concat_ws('|', id, name, price,
                coalesce(to_char(sold_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US'), '')), E'\\n' ORDER BY id)) AS md5
     FROM ${pg.escapeIdentifier(seed.table)}`,
  );
  const found = rows[0];
  if (Number(found?.rows) !== seed.rows) return `${found?.rows ?? 'no'} rows instead of ${seed.rows}`;
  return found?.md5 === seed.md5 ? null : `md5 of the rows ${found?.md5 ?? 'missing'} instead of ${seed.md5}`;
}

export async function withClient<T>(login: Login, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(connection(login));
  // A connection that breaks rejects the query that waits for it; without a listener it would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
