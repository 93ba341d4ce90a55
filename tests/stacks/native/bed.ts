import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readContract, readStacks } from '../../../lab/contract/read.ts';
import { repositoryRoot } from '../../../lab/contract/root.ts';
import { startEnvironment } from '../../../lab/environment/index.ts';
import { buildStack } from '../../../lab/environment/native/build.ts';
import { openDataHome } from '../../../lab/environment/native/data-home.ts';
import { freePort } from '../../../lab/environment/native/ports.ts';
import { chooseServerUser } from '../../../lab/environment/native/server-user.ts';
import { Watchdog } from '../../../lab/environment/native/watchdog.ts';
import type { Contract } from '../../../lab/model/contract.ts';
import type { Stack } from '../../../lab/model/stack.ts';
import type { Bed, Services, StackUnderTest, StartOptions, TestDatabase } from '../bed.ts';
import { databaseAt, ScratchDatabases } from './databases.ts';
import { NativeGate } from './gate.ts';
import { NativeRedis } from './redis-server.ts';
import { NativeStackProcess } from './stack-process.ts';

const contractDir = join(repositoryRoot, 'contract');
const quiet = (): void => undefined;

/**
 * Every stack that the clone has, as processes of this host, on the PostgreSQL that TEST_DATABASE_URL names; where it
 * is not set, on one that the lab's native environment starts.
 */
export async function nativeBed(): Promise<Bed> {
  const contract = await readContract(contractDir);
  return new NativeBed(contract, await readStacks(repositoryRoot, contract));
}

class NativeBed implements Bed {
  readonly name = 'native';
  readonly contractDir = contractDir;
  readonly stacks: readonly StackUnderTest[];
  readonly contract: Contract;
  readonly #built: readonly Stack[];
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  readonly #processes = new Set<NativeStackProcess>();
  #watchdog: Watchdog | null = null;
  #services: Services | null = null;

  constructor(contract: Contract, built: readonly Stack[]) {
    this.contract = contract;
    this.#built = built;
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
    this.#services = await this.#startServices(await this.#database(folder), watchdog);
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

  async #database(folder: string): Promise<TestDatabase> {
    const given = process.env.TEST_DATABASE_URL;
    if (given !== undefined && given !== '') return databaseAt(given);
    const { environment } = await startEnvironment('native', {
      contract: this.contract,
      contractDir,
      variants: [],
      report: quiet,
      logDir: folder,
      signal: new AbortController().signal,
    });
    this.#cleanups.push(() => environment.stop());
    return databaseAt(environment.databaseUrl);
  }

  async #startServices(database: TestDatabase, watchdog: Watchdog): Promise<Services> {
    const scratch = new ScratchDatabases(database, this.contract, contractDir);
    this.#cleanups.push(() => scratch.dropAll());
    const redis = new NativeRedis(await freePort(), watchdog);
    await redis.start();
    this.#cleanups.push(() => redis.stop());
    const absent = new URL(database.url);
    absent.port = String(await freePort());
    return {
      database,
      redis,
      absentDatabaseUrl: absent.href,
      newDatabase: (content) => scratch.make(content),
      newGate: async ({ url }) => {
        const gate = new NativeGate(url, await freePort());
        this.#cleanups.push(() => gate.close());
        return gate;
      },
    };
  }

  async #launch(stack: Stack, options: StartOptions = {}): Promise<NativeStackProcess> {
    if (this.#watchdog === null) throw new Error('the bed is not up yet');
    const { databaseUrl = this.services.database.url, redisUrl = this.services.redis.url } = options;
    const environment = {
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      ...(redisUrl === null ? {} : { REDIS_URL: redisUrl }),
      CONTRACT_DIR: options.contractDir ?? contractDir,
      ...options.environment,
    };
    const process = await NativeStackProcess.launch(stack, environment, this.#watchdog);
    this.#processes.add(process);
    void process.exited.then(() => this.#processes.delete(process));
    return process;
  }
}
