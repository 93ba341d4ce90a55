import type { Redis } from 'ioredis';
import type pg from 'pg';
import { LabError } from '../../model/errors.ts';
import type { ServerFingerprint } from '../../model/result.ts';
import type { Variant } from '../../model/study.ts';
import type { Api } from './api.ts';
import { recordedSettings } from './cluster-settings.ts';
import { cpuQuotaOf } from './cpu-quota.ts';
import { askHealth } from './health.ts';
import { ownQuestion } from './own-question.ts';
import { infoField } from './redis.ts';

const redisSettings = ['appendonly', 'io-threads', 'maxmemory', 'maxmemory-policy', 'save'];

export async function fingerprintPostgres(pool: pg.Pool, pid: number): Promise<ServerFingerprint> {
  const { rows } = await ownQuestion('PostgreSQL', () =>
    pool.query<{ name: string; value: string }>(
      'SELECT name, current_setting(name) AS value FROM pg_settings WHERE name = ANY($1) ORDER BY name',
      [[...recordedSettings, 'server_version']],
    ),
  );
  const { server_version: version = '', ...settings } = Object.fromEntries(
    rows.map(({ name, value }) => [name, value]),
  );
  return { name: 'PostgreSQL', version, parallelism: null, cpuQuota: await cpuQuotaOf(pid), pools: null, settings };
}

export async function fingerprintRedis(redis: Redis, pid: number): Promise<ServerFingerprint> {
  const info = await ownQuestion('Redis', () => redis.info('server'));
  const settings: Record<string, string> = {};
  for (const name of redisSettings) {
    const [, value] = (await ownQuestion('Redis', () => redis.config('GET', name))) as string[];
    if (value !== undefined) settings[name] = value;
  }
  return {
    name: 'Redis',
    version: infoField(info, 'redis_version') ?? '',
    // Commands run on one thread, whatever the number of io-threads.
    parallelism: 1,
    cpuQuota: await cpuQuotaOf(pid),
    pools: null,
    settings,
  };
}

/** Asks the API now, so that what it says is what it is. Throws a LabError NOT_OURS when it does not answer as a stack. */
export async function fingerprintApi(api: Api, variant: Variant, signal: AbortSignal): Promise<ServerFingerprint> {
  const { health } = await askHealth(api.baseUrl, false, signal);
  if (health?.nonce !== api.health.nonce) {
    throw new LabError('NOT_OURS', `${api.baseUrl} no longer answers with our nonce`, 'Run it again.');
  }
  return {
    name: health.stack,
    version: health.version,
    parallelism: health.runtime.parallelism,
    cpuQuota: await cpuQuotaOf(api.process.pid),
    pools: health.pools,
    settings: {
      runtime: `${health.runtime.name} ${health.runtime.version}`,
      preparedStatements: String(health.preparedStatements),
      ...variant.environment,
    },
  };
}
