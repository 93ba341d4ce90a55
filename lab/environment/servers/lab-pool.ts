import pg from 'pg';
import type { Contract } from '../../model/contract.ts';
import { LabError } from '../../model/errors.ts';
import { connection, seedDifference, withClient, type Login } from './database-login.ts';

/** The lab's own connection to PostgreSQL, one at most. */
export interface LabPool {
  readonly pool: pg.Pool;
  /** Closes it; from then on the server may go without a word. */
  close(): Promise<void>;
}

/** A pool that connects when it is asked for the first time. `report` hears when a connection is lost. */
export function openLabPool(config: pg.ClientConfig, report: (line: string) => void): LabPool {
  const pool = new pg.Pool({ ...config, max: 1, idleTimeoutMillis: 0 });
  let closing = false;
  pool.on('error', (error) => {
    // The pool opens another one when it is needed; if the server died, whoever watches it says so.
    if (!closing) report(`the lab's database connection was lost: ${error.message}`);
  });
  return {
    pool,
    close: async () => {
      closing = true;
      await pool.end();
    },
  };
}

/**
 * Opens the owner's connection to a database that the lab has just started: the contract's seed must be in it, and a nonce that
 * is written through it must be read by the APIs' role. Throws a LabError (ENVIRONMENT_FAILED, NOT_OURS) or PostgreSQL's own
 * error; then the connection is closed.
 */
export async function openOwnDatabase(
  logins: { readonly owner: Login; readonly api: Login },
  contract: Contract,
  nonce: string,
  report: (line: string) => void,
): Promise<LabPool> {
  const lab = openLabPool(connection(logins.owner), report);
  try {
    const wrong = await seedDifference(lab.pool, contract);
    if (wrong !== null) throw new LabError('ENVIRONMENT_FAILED', wrong, 'Is contract.json in step with seed.sql?');
    await lab.pool.query('DELETE FROM loadlab.identity');
    await lab.pool.query('INSERT INTO loadlab.identity (nonce) VALUES ($1)', [nonce]);
    await withClient(logins.api, async (client) => {
      const { rows } = await client.query<{ nonce: string }>('SELECT nonce FROM loadlab.identity');
      if (rows[0]?.nonce === nonce) return;
      const { port } = logins.api;
      throw new LabError('NOT_OURS', `another PostgreSQL answers on port ${port}`, 'Try again: ports are chosen anew.');
    });
    return lab;
  } catch (error) {
    await lab.close();
    throw error;
  }
}
