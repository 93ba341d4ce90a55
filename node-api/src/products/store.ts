import pg from 'pg';
import { describe, type Outage } from '../events/outage.ts';
import { DatabaseError } from './database-error.ts';
import { closeOverdue } from './overdue.ts';
import type { ProductRow } from './product.ts';

/** Where the database is and how long anything may take. */
export interface StoreOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly poolTimeoutMs: number;
  readonly queryTimeoutMs: number;
}

/** A statement that each connection prepares once, under `name`, and then runs by that name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/**
 * How much later than the server this side gives a query up. With its own time-out the server stops working on it too;
 * this one is for a server that cannot even say so.
 */
const graceMs = 250;

/** What pg-pool says when the queue for a connection was too long; its other errors are about connecting. */
const queueTimeoutMessage = 'timeout exceeded when trying to connect';

/** SQLSTATE's code. */
const undefinedTable = '42P01';

const seedStatement: Statement = { name: 'seed-version', text: 'SELECT version FROM loadlab_seed' };

/** Asks PostgreSQL, through a pool. Connects to nothing before the first query; every failure is a DatabaseError. */
export class Store {
  private readonly pool: pg.Pool;
  private readonly outage: Outage;
  private readonly stopWatching: () => void;
  private connected = 0;

  constructor(options: StoreOptions, outage: Outage) {
    this.outage = outage;
    this.pool = new pg.Pool({
      connectionString: options.url,
      application_name: 'node-api',
      max: options.poolSize,
      connectionTimeoutMillis: options.poolTimeoutMs,
      // Never: a reconnect in the middle of a measurement would be noise.
      idleTimeoutMillis: 0,
      statement_timeout: options.queryTimeoutMs,
      keepAlive: true,
    });
    // A connection that is lost while it is idle: the pool has dropped it already, and without a listener the process
    // would end. (One that is lost in the middle of a query fails that query.)
    this.pool.on('error', (error) => {
      outage.failed(error);
    });
    this.pool.on('connect', () => {
      this.connected += 1;
    });
    this.pool.on('remove', () => {
      this.connected -= 1;
    });
    this.stopWatching = closeOverdue(this.pool, options.queryTimeoutMs + graceMs, (error) => {
      outage.failed(error);
    });
  }

  /**
   * The rows that `statement` yields.
   * @throws {DatabaseError} `busy` or `unavailable`
   */
  products(statement: Statement, values: readonly string[] = []): Promise<ProductRow[]> {
    return this.query<ProductRow>(statement, values);
  }

  /**
   * Which seed filled the database; null where none is noted, nor a table for it.
   * @throws {DatabaseError} `busy` or `unavailable`
   */
  async seedVersion(): Promise<string | null> {
    try {
      const rows = await this.query<{ version: string }>(seedStatement, []);
      return rows[0]?.version ?? null;
    } catch (error) {
      if (error instanceof DatabaseError && codeOf(error.cause) === undefinedTable) return null;
      throw error;
    }
  }

  /** Closes every connection, and waits for those in use. */
  async close(): Promise<void> {
    await this.pool.end();
    this.stopWatching();
  }

  private async query<Row extends object>(statement: Statement, values: readonly string[]): Promise<Row[]> {
    try {
      const { rows } = await this.pool.query<Row>(
        values.length === 0 ? statement : { ...statement, values: [...values] },
      );
      this.outage.worked();
      return rows;
    } catch (thrown) {
      throw this.failureOf(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  /** A queue for connections that are being opened in vain is no sign of a busy database. */
  private failureOf(error: Error): DatabaseError {
    const isBusy = error.message === queueTimeoutMessage && this.connected > 0;
    if (isBusy) return new DatabaseError('busy', error);
    this.outage.failed(new Error(describe(error)));
    return new DatabaseError('unavailable', error);
  }
}

/** SQLSTATE of an error that the server has sent. */
function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
