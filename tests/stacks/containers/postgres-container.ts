import { basename, join } from 'node:path';
import type { Contract } from '../../../lab/model/contract.ts';
import type { DatabaseServer, TestDatabase } from '../bed.ts';
import { databaseAt } from '../host/databases.ts';
import type { Engine } from './engine.ts';
import { PublishedContainer } from './published-container.ts';

const login = { POSTGRES_USER: 'loadlab', POSTGRES_PASSWORD: 'tests', POSTGRES_DB: 'loadlab' };
/** The cluster that the lab makes natively, whatever locale the image is in. */
const clusterArguments = '--encoding=UTF8 --locale=C';
/** Two stacks with full pools, and the tests beside them. What a crash of the machine would damage is not kept anyway. */
const settings = ['max_connections=200', 'fsync=off'];

/** PostgreSQL in a container of its own, which seeds itself at its first start, as the one of docker-compose.yml does. */
export class PostgresContainer implements DatabaseServer {
  readonly database: TestDatabase;
  readonly #container: PublishedContainer;

  private constructor(container: PublishedContainer) {
    this.#container = container;
    const { POSTGRES_USER: user, POSTGRES_PASSWORD: password, POSTGRES_DB: name } = login;
    this.database = databaseAt(`postgres://${user}:${password}@${container.host}:${container.port}/${name}`);
  }

  static async make(engine: Engine, contract: Contract, contractDir: string): Promise<PostgresContainer> {
    const container = await PublishedContainer.choose(engine, {
      image: process.env.POSTGRES_IMAGE ?? 'postgres:16-alpine',
      port: 5432,
      command: ['postgres', ...settings.flatMap((setting) => ['-c', setting])],
      environment: { ...login, POSTGRES_INITDB_ARGS: clusterArguments },
      // The image runs them in the order of their names.
      files: contract.seed.files.map((file, index) => ({
        source: join(contractDir, file),
        target: `/docker-entrypoint-initdb.d/${index}-${basename(file)}`,
      })),
    });
    return new PostgresContainer(container);
  }

  start(): Promise<void> {
    // The server that the image starts to seed listens inside the container alone: nobody takes it for the one to come.
    const isThere = (): Promise<boolean> => this.database.connect(() => Promise.resolve(true));
    return this.#container.start(() => isThere().catch(() => false));
  }

  stop(): Promise<void> {
    return this.#container.stop();
  }

  crash(): Promise<void> {
    return this.#container.kill();
  }
}
