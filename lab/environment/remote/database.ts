import pg from 'pg';
import type { Contract } from '../../model/contract.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import { withoutPasswords } from '../../model/without-passwords.ts';
import { connection, seedDifference } from '../servers/database-login.ts';
import { openLabPool, type LabPool } from '../servers/lab-pool.ts';
import { findQueryIds, queryFiles, type QueryIds } from '../servers/work-counters.ts';

/** A database that somebody else has started. */
export interface RemoteDatabase {
  readonly lab: LabPool;
  readonly queryIds: QueryIds;
}

/**
 * Connects, and checks that the contract's seed is there. Throws a LabError ENVIRONMENT_FAILED in one line without the password.
 * Where calls cannot be counted, that is said once, and their counters are null.
 */
export async function openRemoteDatabase(
  url: string,
  contract: Contract,
  contractDir: string,
  report: (line: string) => void,
): Promise<RemoteDatabase> {
  const lab = openLabPool(connection(loginOf(url)), report);
  try {
    const wrong = await seedDifference(lab.pool, contract).catch((error: unknown) => messageOf(error));
    if (wrong !== null) {
      throw new LabError(
        'ENVIRONMENT_FAILED',
        `--database-url ${withoutPasswords(url)}: ${wrong}`,
        'It must be the APIs’ database, filled from contract/sql (docs/remote.md).',
      );
    }
    return { lab, queryIds: await queryIdsOf(lab.pool, contract, contractDir, report) };
  } catch (error) {
    await lab.close();
    throw error;
  }
}

/** No query can be counted: nobody asks PostgreSQL, or it does not say. */
export function noQueryIds(contract: Contract): QueryIds {
  return new Map(queryFiles(contract).map((file) => [file, null]));
}

async function queryIdsOf(
  pool: pg.Pool,
  contract: Contract,
  contractDir: string,
  report: (line: string) => void,
): Promise<QueryIds> {
  try {
    const reason = await whyUncounted(pool);
    if (reason !== null) throw new Error(reason);
    return await findQueryIds(pool, contract, contractDir);
  } catch (error) {
    report(`queries are not counted, so whether each request made its query is not checked: ${messageOf(error)}`);
    return noQueryIds(contract);
  }
}

/** Without the right to see others' statements, their calls would look like none. */
async function whyUncounted(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ role: string; may: boolean }>(
    "SELECT current_user AS role, pg_has_role('pg_read_all_stats', 'USAGE') AS may",
  );
  if (rows[0]?.may !== true) return `role ${rows[0]?.role ?? '?'} may not: GRANT pg_read_all_stats TO it`;
  await pool.query('SELECT FROM pg_stat_statements LIMIT 1');
  return null;
}

function loginOf(url: string): Parameters<typeof connection>[0] {
  const { hostname, port, username, password, pathname } = new URL(url);
  const user = decodeURIComponent(username);
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 5432 : Number(port),
    user,
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)) || user,
  };
}
