import type { EnvironmentRequest } from '../../model/environment.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import { withoutPasswords } from '../../model/without-passwords.ts';
import type { Redis } from 'ioredis';
import { Cleanup } from '../cleanup.ts';
import { Watchdog } from '../native/watchdog.ts';
import { openRedis } from '../servers/redis-client.ts';
import { RemoteApi } from './api.ts';
import { noQueryIds, openRemoteDatabase } from './database.ts';
import type { RemoteTarget } from './options.ts';
import { findOwnProject } from './own-project.ts';
import { RemoteEnvironment } from './remote-environment.ts';

/**
 * Finds the servers at the URLs that the user gave, and proves them fit for the study: each API is its variant's stack, ready, and a
 * process of its own; the database holds the contract's seed. Rejects with a LabError that names the URL, without any password.
 */
export async function openRemote(target: RemoteTarget, request: EnvironmentRequest): Promise<RemoteEnvironment> {
  const { contract, contractDir, report, signal } = request;
  const cleanup = new Cleanup();
  try {
    report(`asking ${Object.values(target.baseUrls).join(', ')}`);
    const apis = await openApis(target, request);
    await refuseOneForTwo(apis, signal);

    const database =
      target.databaseUrl === null ? null : await openRemoteDatabase(target.databaseUrl, contract, contractDir, report);
    if (database !== null) cleanup.add('the connection to PostgreSQL', () => database.lab.close());
    else report('no --database-url: whether each request made its query is not checked');
    const redis = target.redisUrl === null ? null : await openRemoteRedis(target.redisUrl, report);
    if (redis !== null) {
      cleanup.add('the connection to Redis', () => {
        redis.disconnect();
        return Promise.resolve();
      });
    }

    const watchdog = await Watchdog.start(report);
    cleanup.add('the watchdog', () => watchdog.stop());
    const project = target.sameHost ? await findOwnProject() : { why: 'on another machine, where nobody says it' };
    if ('why' in project) report(`CPU of PostgreSQL and Redis: not known: ${project.why}`);
    for (const { variant } of request.variants) {
      const settings = Object.entries(variant.environment).map(([name, value]) => `${name}=${value}`);
      if (settings.length > 0)
        report(`${variant.id} must have been started with ${settings.join(' ')}: nobody checks it`);
    }
    report('the servers are somebody else’s, and are not restarted: all rounds are of one generation');
    return new RemoteEnvironment({
      request,
      target,
      apis,
      pool: database?.lab.pool ?? null,
      redis,
      queryIds: database?.queryIds ?? noQueryIds(contract),
      project,
      watchdog,
      cleanup,
    });
  } catch (error) {
    await cleanup.run().catch((failure: unknown) => {
      // The first failure is the one to tell; this one must not take its place.
      report(messageOf(failure));
    });
    throw error;
  }
}

/** All at once; the first that is refused ends the waiting for the others. */
async function openApis(
  target: RemoteTarget,
  { variants, contract, report, signal }: EnvironmentRequest,
): Promise<RemoteApi[]> {
  const over = new AbortController();
  const ended = AbortSignal.any([signal, over.signal]);
  try {
    const apis = await Promise.all(
      variants.map(({ variant, stack }) =>
        RemoteApi.open(variant.id, { baseUrl: target.baseUrls[variant.id] ?? '', stack, contract, nonce: null }, ended),
      ),
    );
    for (const { variant, unknown } of apis) if (unknown !== null) report(`CPU of ${variant}: not known: ${unknown}`);
    return apis;
  } finally {
    over.abort(new Error('it is not waited for any more'));
  }
}

/** One process for two variants would be compared with itself. */
async function refuseOneForTwo(apis: readonly RemoteApi[], signal: AbortSignal): Promise<void> {
  for (const [index, api] of apis.entries()) {
    for (const other of apis.slice(index + 1)) {
      if (!(await api.isSameProcess(other, signal))) continue;
      throw new LabError(
        'BAD_ARGUMENT',
        `${api.baseUrl} (variant ${api.variant}) and ${other.baseUrl} (variant ${other.variant}) are one process`,
        'Give each variant a process of its own.',
      );
    }
  }
}

async function openRemoteRedis(url: string, report: (line: string) => void): Promise<Redis> {
  try {
    return await openRedis(url, () => Promise.resolve(true), report);
  } catch (error) {
    throw new LabError(
      'ENVIRONMENT_FAILED',
      `--redis-url ${withoutPasswords(url)}: ${messageOf(error)}`,
      'It must be the APIs’ Redis (docs/remote.md).',
      { cause: error },
    );
  }
}
