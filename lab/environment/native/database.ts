import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Contract } from '../../model/contract.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import { limitTo } from '../limit.ts';
import { initialiseCluster, startCluster, type Cluster, type ClusterContext } from './cluster.ts';
import { clearDataFolder, readManifest, writeManifest, type Manifest } from './data-folder.ts';
import { apiRole, databaseName, ownerRole } from '../servers/database-login.ts';
import { openOwnDatabase } from '../servers/lab-pool.ts';
import { ownQuestion } from '../servers/own-question.ts';
import { seedCluster, seedSha256 } from './seed.ts';

/** A damaged cluster may hang instead of failing, at its start or at the first queries: after this time it is killed and made anew. */
const keptStartLimitMs = 8_000;
const newStartLimitMs = 30_000;

/** The lab's PostgreSQL: seeded, checked, and proven to be the one that was started. */
export interface Database {
  readonly cluster: Cluster;
  /** As the owner: for the lab and for use by hand. */
  readonly url: string;
  /** As the APIs' own role, which may only read. */
  readonly apiUrl: string;
  /** The lab's own connection, one at most. */
  readonly pool: pg.Pool;
  stop(): Promise<void>;
}

/**
 * Starts the database in the folder: the kept one if the contract's seed is in it, one made anew otherwise.
 * Throws a LabError (START_FAILED, ENVIRONMENT_FAILED, NOT_OURS); then nothing is left running.
 */
export async function startDatabase(
  context: ClusterContext,
  contract: Contract,
  contractDir: string,
  nonce: string,
  report: (line: string) => void,
): Promise<Database> {
  const wanted = {
    format: 1 as const,
    postgres: context.binaries.packageVersion,
    seedVersion: contract.seed.version,
    seedMd5: contract.seed.md5,
    seedSha256: await seedSha256(contract, contractDir),
  };
  const kept = await readManifest(context.folder);
  if (kept) {
    const why = difference(kept, wanted);
    if (why === null) {
      try {
        return await openCluster(context, keptStartLimitMs, kept.passwords, contract, nonce, report);
      } catch (error) {
        context.signal.throwIfAborted();
        report(`the kept database cannot be used (${messageOf(error)}): making it anew`);
      }
    } else report(`the kept database is of another ${why}: making it anew`);
  } else report('making the database (once)');

  const passwords = { owner: newPassword(), api: newPassword() };
  await clearDataFolder(context.folder, context.user);
  await initialiseCluster(context, passwords.owner);
  const cluster = await startCluster(context, newStartLimitMs);
  try {
    await ownQuestion('PostgreSQL', () => seedCluster(cluster.port, contract, contractDir, passwords));
    const database = await ownQuestion('PostgreSQL', () => useCluster(cluster, passwords, contract, nonce, report));
    await writeManifest(context.folder, { ...wanted, passwords });
    return database;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

function difference(kept: Manifest, wanted: Omit<Manifest, 'passwords'>): string | null {
  if (kept.postgres !== wanted.postgres) return `PostgreSQL (${kept.postgres}, now ${wanted.postgres})`;
  const same = kept.seedMd5 === wanted.seedMd5 && kept.seedSha256 === wanted.seedSha256;
  return same && kept.seedVersion === wanted.seedVersion ? null : 'seed';
}

async function openCluster(
  context: ClusterContext,
  limitMs: number,
  passwords: Manifest['passwords'],
  contract: Contract,
  nonce: string,
  report: (line: string) => void,
): Promise<Database> {
  const deadline = limitTo(limitMs, context.signal);
  const cluster = await startCluster(context, limitMs);
  const using = useCluster(cluster, passwords, contract, nonce, report);
  try {
    return await orAborted(using, deadline);
  } catch (error) {
    // It may become usable after all while it is being killed.
    void using.then(({ pool }) => pool.end()).catch(() => undefined);
    // Asking politely could take as long again; only an interrupted one is used another time.
    await (context.signal.aborted ? cluster.stop() : cluster.kill());
    throw error;
  }
}

/** What `work` comes to, or a rejection when `deadline` is aborted before. */
async function orAborted<T>(work: Promise<T>, deadline: AbortSignal): Promise<T> {
  const stopWaiting = new AbortController();
  const late = new Promise<never>((_, reject) => {
    const refuse = (): void => {
      reject(new LabError('START_FAILED', 'PostgreSQL started and does not answer', 'See its log, postgres.log.'));
    };
    deadline.addEventListener('abort', refuse, { once: true, signal: stopWaiting.signal });
    if (deadline.aborted) refuse();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    stopWaiting.abort();
  }
}

async function useCluster(
  cluster: Cluster,
  passwords: Manifest['passwords'],
  contract: Contract,
  nonce: string,
  report: (line: string) => void,
): Promise<Database> {
  const { port } = cluster;
  const owner = { port, user: ownerRole, password: passwords.owner, database: databaseName };
  const api = { port, user: apiRole, password: passwords.api, database: databaseName };
  const lab = await openOwnDatabase({ owner, api }, contract, nonce, report);
  return {
    cluster,
    pool: lab.pool,
    url: urlOf(owner),
    apiUrl: urlOf(api),
    stop: async () => {
      // Together: a server that hangs would never close the connection, until it is killed.
      await Promise.all([lab.close(), cluster.stop()]);
    },
  };
}

function urlOf(login: { user: string; password: string; port: number; database: string }): string {
  return `postgres://${login.user}:${login.password}@127.0.0.1:${login.port}/${login.database}`;
}

/** Letters and digits only: it stands in URLs. */
function newPassword(): string {
  return randomBytes(24).toString('hex');
}
