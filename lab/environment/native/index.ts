import { randomBytes } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EnvironmentRequest } from '../../model/environment.ts';
import { messageOf } from '../../model/errors.ts';
import type { Stack } from '../../model/stack.ts';
import { installBinaries } from './binaries.ts';
import { buildStack } from './build.ts';
import { Cleanup } from '../cleanup.ts';
import { claimDataFolder } from './data-folder.ts';
import { openDataHome } from './data-home.ts';
import { startDatabase } from './database.ts';
import { NativeEnvironment } from './native-environment.ts';
import { startCache } from './redis.ts';
import { checkRequirements } from './requirements.ts';
import { chooseServerUser } from './server-user.ts';
import { Watchdog } from './watchdog.ts';
import { findQueryIds } from '../servers/work-counters.ts';

/**
 * Builds and starts everything on this machine, each server a process in a session of its own, and returns when all are
 * ready and proven ours. Rejects with a LabError, or the request's abort reason; then nothing is left running.
 */
export async function startNative(request: EnvironmentRequest): Promise<NativeEnvironment> {
  const { contract, contractDir, logDir, report, signal } = request;
  const stacks = distinct(request.variants.map(({ stack }) => stack));
  const postgresPackage = await checkRequirements(stacks, signal);
  const user = await chooseServerUser();
  const home = await openDataHome(user);
  await mkdir(logDir, { recursive: true });
  const nonce = randomBytes(16).toString('hex');

  const cleanup = new Cleanup();
  try {
    const watchdog = await Watchdog.start(report);
    cleanup.add('the watchdog', () => watchdog.stop());

    for (const stack of stacks) await buildStack(stack, { home, watchdog, logDir, report, signal });

    const folder = await claimDataFolder(home, watchdog, report, signal);
    cleanup.add('the data folder', () => folder.release());
    report(`starting PostgreSQL ${user ? `as user ${user.name} ` : ''}in ${folder.path}`);
    const database = await startDatabase(
      {
        folder,
        binaries: await installBinaries(home, postgresPackage),
        user,
        watchdog,
        logFile: join(logDir, 'postgres.log'),
        signal,
      },
      contract,
      contractDir,
      nonce,
      report,
    );
    cleanup.add('PostgreSQL', () => database.stop());

    report('starting Redis');
    const cache = await startCache({ user, watchdog, logFile: join(logDir, 'redis.log'), nonce, report, signal });
    cleanup.add('Redis', () => cache.stop());

    const environment = new NativeEnvironment({
      request,
      database,
      cache,
      cleanup,
      watchdog,
      queryIds: await findQueryIds(database.pool, contract, contractDir),
      schedulingGroups: await schedulingGroups(),
      apiRequests: request.variants.map(({ variant, stack }) => ({
        variant,
        stack,
        contract,
        contractDir,
        databaseUrl: database.apiUrl,
        redisUrl: cache.url,
        nonce,
        logDir,
        watchdog,
      })),
    });
    report(`starting the APIs: ${request.variants.map(({ variant }) => variant.id).join(', ')}`);
    await environment.startApis();
    return environment;
  } catch (error) {
    await cleanup.run().catch((failure: unknown) => {
      // The first failure is the one to tell; this one must not take its place.
      report(messageOf(failure));
    });
    throw error;
  }
}

/** Each stack once, however many variants it serves. Two stacks may share a folder, each with a build of its own. */
function distinct(stacks: readonly Stack[]): Stack[] {
  return [...new Map(stacks.map((stack) => [`${stack.folder} ${stack.manifest.id}`, stack])).values()];
}

/** Whether the kernel shares CPU between sessions first: it moves ratios, so it stands in the provenance. */
async function schedulingGroups(): Promise<string> {
  const state = await readFile('/proc/sys/kernel/sched_autogroup_enabled', 'utf8').catch(() => null);
  if (state === null) return 'session per component (no autogroups)';
  return state.trim() === '1' ? 'session per component (autogroup)' : 'session per component (autogroup off)';
}
