import type { Redis } from 'ioredis';
import type { Contract } from '../../model/contract.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import { limitTo } from '../limit.ts';
import { pause } from '../pause.ts';
import { apiRole, databaseName, ownerRole } from '../servers/database-login.ts';
import { openOwnDatabase, type LabPool } from '../servers/lab-pool.ts';
import { nonceKey, openRedis } from '../servers/redis-client.ts';
import type { Containers } from './containers.ts';

/** A first start makes the cluster and the rows. */
const databaseLimitMs = 120_000;
const cacheLimitMs = 30_000;
const pollMs = 50;

/**
 * Connects to the project's PostgreSQL once it is up and seeded, and proves it ours. Throws a LabError START_FAILED with its last
 * log lines when it ends or is late, ENVIRONMENT_FAILED or NOT_OURS when it is not what it should be.
 */
export async function openDatabase(
  containers: Containers,
  secrets: { readonly nonce: string; readonly owner: string; readonly api: string },
  contract: Contract,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<{ lab: LabPool; url: string }> {
  return whenUp(containers, { service: 'postgres', port: 5432, limitMs: databaseLimitMs }, signal, async (port) => {
    const owner = { port, user: ownerRole, password: secrets.owner, database: databaseName };
    const api = { port, user: apiRole, password: secrets.api, database: databaseName };
    const lab = await openOwnDatabase({ owner, api }, contract, secrets.nonce, report);
    return { lab, url: `postgres://${ownerRole}:${secrets.owner}@127.0.0.1:${port}/${databaseName}` };
  });
}

/** The same for Redis: empty, and marked with the nonce. */
export async function openCache(
  containers: Containers,
  nonce: string,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<{ client: Redis; url: string }> {
  return whenUp(containers, { service: 'redis', port: 6379, limitMs: cacheLimitMs }, signal, async (port) => {
    const url = `redis://127.0.0.1:${port}`;
    const isEmpty = async (client: Redis): Promise<boolean> => (await client.dbsize()) === 0;
    const client = await openRedis(url, isEmpty, report);
    await client.set(nonceKey, nonce);
    return { client, url };
  });
}

interface Server {
  readonly service: string;
  readonly port: number;
  readonly limitMs: number;
}

/** Tries until `open` succeeds. No event tells that a port is open; that the container ended is seen at each try. */
async function whenUp<T>(
  containers: Containers,
  { service, port, limitMs }: Server,
  signal: AbortSignal,
  open: (port: number) => Promise<T>,
): Promise<T> {
  const limit = limitTo(limitMs, signal);
  let last = 'it does not listen';
  while (!limit.aborted) {
    const published = await containers.publishedPort(service, port);
    if (published === null) {
      const how = await containers.howItEnded(service);
      if (how !== null) throw await startFailed(containers, service, `${how} while starting`);
    } else {
      try {
        return await open(published);
      } catch (error) {
        if (error instanceof LabError) throw error;
        last = messageOf(error);
      }
    }
    await pause(pollMs, limit).catch(() => undefined);
  }
  signal.throwIfAborted();
  throw await startFailed(containers, service, `was not ready within ${limitMs / 1000} s: ${last}`);
}

/** A container that did not come up, with its last log lines. */
export async function startFailed(containers: Containers, service: string, what: string): Promise<LabError> {
  return new LabError(
    'START_FAILED',
    `the container of ${service} ${what}`,
    `Its last lines are above; the whole log is ${service}.log of this set.`,
    { logTail: await containers.logTail(service) },
  );
}
