import { availableParallelism } from 'node:os';
import type { Cache } from '../cache/cache.ts';
import { contractVersion } from '../contract/schema.ts';
import type { Log } from '../events/log.ts';
import { Outage } from '../events/outage.ts';
import { answer, ok, type Answer } from '../http/answer.ts';
import type { Configured } from '../process/configure.ts';
import { cpuQuota } from '../process/cpu-quota.ts';
import { DatabaseError } from '../products/database-error.ts';
import type { Store } from '../products/store.ts';

/** Says who answers; with `?ready=1` also whether database and cache do. */
export function health(
  { config, loaded, version }: Configured,
  log: Log,
  store: Store,
  cache: Cache,
): (query: string) => Answer | Promise<Answer> {
  const identity = {
    status: 'ok',
    stack: 'node-api',
    nonce: config.nonce,
    version,
    pid: process.pid,
    runtime: {
      name: 'node',
      version: process.versions.node,
      parallelism: availableParallelism(),
      cpuQuota: cpuQuota(),
    },
    pools: { database: config.databasePoolSize, redis: config.redisPoolSize },
    preparedStatements: true,
    contractVersion,
  };
  const seed = new Outage(log, 'seed');
  const alive = ok(JSON.stringify(identity));
  return (query) => (query.split('&').includes('ready=1') ? readiness() : alive);

  async function readiness(): Promise<Answer> {
    const [database, answersCache] = await Promise.all([askDatabase(), cache.ping()]);
    const ready = database.state === 'ok' && answersCache;
    const body = {
      ...identity,
      ready,
      database: database.state,
      cache: answersCache ? 'ok' : 'unavailable',
      seedVersion: database.seedVersion,
    };
    return answer(ready ? 200 : 503, JSON.stringify(body));
  }

  async function askDatabase(): Promise<{ state: string; seedVersion: string | null }> {
    try {
      const seedVersion = await store.seedVersion();
      const state = judgeSeed(seedVersion, loaded.contract.seed.version);
      if (state === 'ok') seed.worked();
      else seed.failed(new Error(state));
      return { state, seedVersion };
    } catch (error) {
      if (error instanceof DatabaseError) return { state: error.failure, seedVersion: null };
      throw error;
    }
  }
}

/** Tells a database that would answer with other rows, such as a volume that an older version of the lab has filled. */
function judgeSeed(version: string | null, wanted: string): string {
  if (version === null) return 'not seeded';
  return version === wanted ? 'ok' : `seed version ${version} instead of ${wanted}`;
}
