import type { ServerFingerprint } from '../../model/result.ts';
import { fingerprintApi, fingerprintPostgres, fingerprintRedis, type Surroundings } from '../servers/fingerprint.ts';
import { hostOf } from './options.ts';
import type { RemoteParts } from './remote-environment.ts';

const notKnown = 'not known';

/** Environment.fingerprint: what servers say of themselves; what nobody says is null, with a setting that says so. */
export async function fingerprintRemote(
  parts: Pick<RemoteParts, 'request' | 'target' | 'pool' | 'redis' | 'project'>,
  signal: AbortSignal,
): Promise<Record<string, ServerFingerprint>> {
  const { request, target, pool, redis } = parts;
  const found: Record<string, ServerFingerprint> = {
    postgres: await marked(target.databaseUrl, parts, (around) =>
      pool === null ? Promise.resolve(unasked('PostgreSQL', '--database-url')) : fingerprintPostgres(pool, around),
    ),
    redis: await marked(target.redisUrl, parts, (around) =>
      redis === null ? Promise.resolve(unasked('Redis', '--redis-url')) : fingerprintRedis(redis, around),
    ),
  };
  for (const { variant } of request.variants) {
    const baseUrl = target.baseUrls[variant.id] ?? '';
    const around = await surroundingsOf(baseUrl, parts);
    const quota = { isKnown: around.limits !== undefined };
    const server = await fingerprintApi(
      baseUrl,
      null,
      // Its settings were made by whoever started it.
      { ...variant, environment: {} },
      ({ runtime: { cpuQuota } }) => {
        if (cpuQuota === undefined) return { ...around, cpuQuota: around.limits?.cpus ?? null };
        quota.isKnown = true;
        return { ...around, cpuQuota };
      },
      signal,
    );
    found[`api:${variant.id}`] = quota.isKnown ? server : withUnknownQuota(server);
  }
  return found;
}

/** A server's fingerprint with what Docker tells of its container, or with the word that its quota is not known. */
async function marked(
  url: string | null,
  parts: Pick<RemoteParts, 'project'>,
  fingerprint: (around: Surroundings) => Promise<ServerFingerprint>,
): Promise<ServerFingerprint> {
  const around = url === null ? null : await surroundingsOf(url, parts);
  if (around?.limits !== undefined) return fingerprint({ ...around, cpuQuota: around.limits.cpus });
  return withUnknownQuota(await fingerprint({ cpuQuota: null }));
}

async function surroundingsOf(
  url: string,
  { project }: Pick<RemoteParts, 'project'>,
): Promise<Pick<Surroundings, 'limits' | 'image'>> {
  const service = hostOf(url);
  if (!('containers' in project) || !project.containers.services.includes(service)) return {};
  return project.containers.facts(service);
}

function unasked(name: string, option: string): ServerFingerprint {
  const settings = { asked: `no: ${option} is not given` };
  return { name, version: notKnown, parallelism: null, cpuQuota: null, pools: null, settings };
}

function withUnknownQuota(server: ServerFingerprint): ServerFingerprint {
  return { ...server, settings: { ...server.settings, cpuQuota: notKnown } };
}
