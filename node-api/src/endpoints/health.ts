import { availableParallelism } from 'node:os';
import type { Cache } from '../cache/cache.ts';
import type { Config } from '../config.ts';
import { contractVersion } from '../contract/schema.ts';
import { answer, ok, type Answer } from '../http/answer.ts';
import { DatabaseError } from '../products/database-error.ts';
import type { Store } from '../products/store.ts';

/** Says who answers; with `?ready=1` also whether database and cache do. */
export function health(
  config: Config,
  version: string,
  store: Store,
  cache: Cache,
): (query: string) => Answer | Promise<Answer> {
  const identity = {
    status: 'ok',
    stack: 'node-api',
    nonce: config.nonce,
    version,
    pid: process.pid,
    runtime: { name: 'node', version: process.versions.node, parallelism: availableParallelism() },
    pools: { database: config.databasePoolSize, redis: config.redisPoolSize },
    preparedStatements: true,
    contractVersion,
  };
  const alive = ok(JSON.stringify(identity));
  return (query) => (query.split('&').includes('ready=1') ? readiness() : alive);

  async function readiness(): Promise<Answer> {
    const [database, answersCache] = await Promise.all([askDatabase(store), cache.ping()]);
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
}

async function askDatabase(store: Store): Promise<{ state: string; seedVersion: string | null }> {
  try {
    const seedVersion = await store.seedVersion();
    return { state: seedVersion === null ? 'not seeded' : 'ok', seedVersion };
  } catch (error) {
    if (error instanceof DatabaseError) return { state: error.failure, seedVersion: null };
    throw error;
  }
}
