import type { Redis } from 'ioredis';
import type pg from 'pg';
import { LabError } from '../../model/errors.ts';
import type { ServerFingerprint } from '../../model/result.ts';
import type { Variant } from '../../model/study.ts';
import { askHealth, type Health } from './health.ts';
import { ownQuestion } from './own-question.ts';
import { infoField } from './redis-client.ts';

/** Settings whose values stand in the fingerprint. No ports or paths: those differ from run to run and change nothing. */
const recordedSettings: readonly string[] = [
  'autovacuum',
  'effective_io_concurrency',
  'fsync',
  'full_page_writes',
  'huge_pages',
  'jit',
  'max_connections',
  'max_parallel_workers_per_gather',
  'plan_cache_mode',
  'random_page_cost',
  'server_encoding',
  'shared_buffers',
  'shared_preload_libraries',
  'synchronous_commit',
  'work_mem',
];

const redisSettings = ['appendonly', 'io-threads', 'maxmemory', 'maxmemory-policy', 'save'];

/** What a server's surroundings say of it: the CPUs of its quota, its container's limits and image. */
export type Surroundings = Pick<ServerFingerprint, 'cpuQuota' | 'limits' | 'image'>;

/** Throws a LabError ENVIRONMENT_FAILED when PostgreSQL does not answer. */
export async function fingerprintPostgres(pool: pg.Pool, around: Surroundings): Promise<ServerFingerprint> {
  const { rows } = await ownQuestion('PostgreSQL', () =>
    pool.query<{ name: string; value: string }>(
      'SELECT name, current_setting(name) AS value FROM pg_settings WHERE name = ANY($1) ORDER BY name',
      [[...recordedSettings, 'server_version']],
    ),
  );
  const { server_version: version = '', ...settings } = Object.fromEntries(
    rows.map(({ name, value }) => [name, value]),
  );
  return { name: 'PostgreSQL', version, parallelism: null, ...around, pools: null, settings };
}

/** Throws a LabError ENVIRONMENT_FAILED when Redis does not answer. */
export async function fingerprintRedis(redis: Redis, around: Surroundings): Promise<ServerFingerprint> {
  const info = await ownQuestion('Redis', () => redis.info('server'));
  const settings: Record<string, string> = {};
  for (const name of redisSettings) {
    // One that is somebody's service may keep its settings to itself.
    const [, value] = (await redis.config('GET', name).catch(() => [])) as string[];
    if (value !== undefined) settings[name] = value;
  }
  return {
    name: 'Redis',
    version: infoField(info, 'redis_version') ?? '',
    // Commands run on one thread, whatever the number of io-threads.
    parallelism: 1,
    ...around,
    pools: null,
    settings,
  };
}

/**
 * Asks the API now, so that what it says is what it is. Throws a LabError NOT_OURS when it does not answer as the stack with that
 * nonce (null: any). `around` is what its surroundings say; without it the API's own word on its quota counts.
 */
export async function fingerprintApi(
  baseUrl: string,
  nonce: string | null,
  variant: Variant,
  around: (health: Health) => Surroundings,
  signal: AbortSignal,
): Promise<ServerFingerprint> {
  const { health } = await askHealth(baseUrl, false, signal);
  if (health === null || (nonce !== null && health.nonce !== nonce)) {
    throw new LabError('NOT_OURS', `${baseUrl} no longer answers with our nonce`, 'Run it again.');
  }
  return {
    name: health.stack,
    version: health.version,
    parallelism: health.runtime.parallelism,
    ...around(health),
    pools: health.pools,
    settings: {
      runtime: `${health.runtime.name} ${health.runtime.version}`,
      preparedStatements: String(health.preparedStatements),
      ...(health.runtime.processes === undefined ? {} : { processes: String(health.runtime.processes) }),
      ...variant.environment,
    },
  };
}
