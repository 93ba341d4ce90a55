import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import type { Contract } from '../../../lab/model/contract.ts';
import type { TestDatabase } from '../bed.ts';

/** A database that is reached by its URL, here as by a stack. */
export function databaseAt(url: string): TestDatabase {
  return {
    url,
    connect: async (work) => {
      const client = new pg.Client({ connectionString: url, application_name: 'loadlab-tests' });
      // A connection that breaks rejects the query that waits for it; without a listener it would end the process.
      client.on('error', () => undefined);
      await client.connect();
      try {
        return await work(client);
      } finally {
        await client.end();
      }
    },
  };
}

/** Fills an empty database at one stroke: nobody sees tables that have no rows yet. */
export async function seed(database: TestDatabase, contract: Contract, contractDir: string): Promise<void> {
  const files = contract.seed.files.map((file) => readFile(join(contractDir, file), 'utf8'));
  const statements = (await Promise.all(files)).join('\n');
  // One message of several statements is one transaction.
  await database.connect((client) => client.query(statements));
}

/** Databases of the tests' own beside the seeded one, so that its rows are neither altered nor locked. */
export class ScratchDatabases {
  readonly #server: TestDatabase;
  readonly #contract: Contract;
  readonly #contractDir: string;
  readonly #names: string[] = [];

  constructor(server: TestDatabase, contract: Contract, contractDir: string) {
    this.#server = server;
    this.#contract = contract;
    this.#contractDir = contractDir;
  }

  async make(content: 'seeded' | 'empty'): Promise<TestDatabase> {
    const name = `loadlab_test_${randomBytes(6).toString('hex')}`;
    // Not from a template: that would need a source that nobody is connected to.
    await this.#server.connect((client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
    this.#names.push(name);
    const url = new URL(this.#server.url);
    url.pathname = `/${name}`;
    const database = databaseAt(url.href);
    if (content === 'seeded') await seed(database, this.#contract, this.#contractDir);
    return database;
  }

  /** Drops them all, whoever is still connected. */
  async dropAll(): Promise<void> {
    await this.#server.connect(async (client) => {
      for (const name of this.#names.splice(0)) await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    });
  }
}
