import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContract, readStacks } from '../../../lab/contract/read.ts';
import { repositoryRoot } from '../../../lab/contract/root.ts';
import { buildStack } from '../../../lab/environment/native/build.ts';
import { openDataHome } from '../../../lab/environment/native/data-home.ts';
import { freePort } from '../../../lab/environment/native/ports.ts';
import { chooseServerUser } from '../../../lab/environment/native/server-user.ts';
import { Watchdog } from '../../../lab/environment/native/watchdog.ts';
import type { Contract } from '../../../lab/model/contract.ts';
import type { Stack } from '../../../lab/model/stack.ts';
import type { Bed, DatabaseServer, RedisServer, Services, StackUnderTest, StartOptions, TestDatabase } from '../bed.ts';
import { ScratchDatabases } from './databases.ts';
import { ForwardingGate } from './gate.ts';
import { HostStackProcess } from './stack-process.ts';

const contractDir = join(repositoryRoot, 'contract');
const quiet = (): void => undefined;

/** The servers behind the stacks: where two beds differ. */
export interface Backends {
  /** Holds the contract's seed; its owner may create other databases. */
  readonly database: TestDatabase;
  /** Runs. */
  readonly redis: RedisServer;
  readonly newDatabaseServer: () => Promise<DatabaseServer>;
}

/** What they are started with. */
export interface BackendContext {
  readonly contract: Contract;
  readonly contractDir: string;
  /** For logs; it goes with the bed. */
  readonly folder: string;
  /** Ends processes of this host when the tests cannot. */
  readonly watchdog: Watchdog;
  /** Runs at the end, after all that was deferred later, also where starting goes on to fail. */
  readonly defer: (cleanup: () => Promise<unknown>) => void;
}

export type StartBackends = (context: BackendContext) => Promise<Backends>;

/** Every stack that the clone has, as processes of this host, with the servers that `startBackends` gives them. */
export async function hostBed(name: string, startBackends: StartBackends): Promise<Bed> {
  const contract = await readContract(contractDir);
  return new HostBed(name, contract, await readStacks(repositoryRoot, contract), startBackends);
}

class HostBed implements Bed {
  readonly name: string;
  readonly contractDir = contractDir;
  readonly stacks: readonly StackUnderTest[];
  readonly contract: Contract;
  readonly #built: readonly Stack[];
  readonly #startBackends: StartBackends;
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  readonly #processes = new Set<HostStackProcess>();
  #watchdog: Watchdog | null = null;
  #services: Services | null = null;

  constructor(name: string, contract: Contract, built: readonly Stack[], startBackends: StartBackends) {
    this.name = name;
    this.contract = contract;
    this.#built = built;
    this.#startBackends = startBackends;
    this.stacks = built.map((stack) => ({
      id: stack.manifest.id,
      launch: (options) => this.#launch(stack, options),
      start: async (options) => {
        const process = await this.#launch(stack, options);
        await process.listening();
        return process;
      },
    }));
  }

  get services(): Services {
    if (this.#services === null) throw new Error('the bed is not up yet');
    return this.#services;
  }

  async up(): Promise<void> {
    const folder = await mkdtemp(join(tmpdir(), 'loadlab-stacks-'));
    this.#cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const watchdog = await Watchdog.start(quiet);
    this.#watchdog = watchdog;
    this.#cleanups.push(() => watchdog.stop());
    const signal = new AbortController().signal;
    const home = await openDataHome(await chooseServerUser());
    for (const stack of this.#built) {
      await buildStack(stack, { home, watchdog, logDir: folder, report: quiet, signal });
    }
    const backends = await this.#startBackends({
      contract: this.contract,
      contractDir,
      folder,
      watchdog,
      defer: (cleanup) => this.#cleanups.push(cleanup),
    });
    this.#services = await this.#servicesOf(backends);
  }

  async down(): Promise<void> {
    await Promise.all([...this.#processes].map((process) => process.kill()));
    const failures: unknown[] = [];
    // One that fails, for the database has gone, must not leave the others' servers behind.
    for (const cleanup of this.#cleanups.splice(0).reverse()) {
      await cleanup().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw new AggregateError(failures, 'not all that was started could be ended');
  }

  async #servicesOf({ database, redis, newDatabaseServer }: Backends): Promise<Services> {
    const scratch = new ScratchDatabases(database, this.contract, contractDir);
    this.#cleanups.push(() => scratch.dropAll());
    const absent = new URL(database.url);
    absent.hostname = '127.0.0.1';
    absent.port = String(await freePort());
    return {
      database,
      redis,
      absentDatabaseUrl: absent.href,
      newDatabase: (content) => scratch.make(content),
      newDatabaseServer,
      newGate: async ({ url }) => {
        const gate = new ForwardingGate(url, await freePort());
        this.#cleanups.push(() => gate.close());
        return gate;
      },
    };
  }

  async #launch(stack: Stack, options: StartOptions = {}): Promise<HostStackProcess> {
    if (this.#watchdog === null) throw new Error('the bed is not up yet');
    const { databaseUrl = this.services.database.url, redisUrl = this.services.redis.url } = options;
    const environment = {
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
      CONTRACT_DIR: options.contractDir ?? contractDir,
      ...options.environment,
    };
    const process = await HostStackProcess.launch(stack, environment, this.#watchdog);
    this.#processes.add(process);
    void process.exited.then(() => this.#processes.delete(process));
    return process;
  }
}
