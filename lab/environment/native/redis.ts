import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { LabError } from '../../model/errors.ts';
import { limitTo } from '../limit.ts';
import { pause } from '../pause.ts';
import { infoField, nonceKey, openRedis } from '../servers/redis-client.ts';
import { freePort, isFree } from './ports.ts';
import { ServerProcess } from './server-process.ts';
import type { ServerUser } from './server-user.ts';
import type { Watchdog } from './watchdog.ts';

const portTries = 5;
const readyLimitMs = 10_000;
const pollMs = 10;
const stopLimitMs = 5_000;

/** The lab's Redis: empty, nothing kept on disk, proven to be the process that was started. */
export interface Cache {
  readonly process: ServerProcess;
  readonly url: string;
  /** The lab's own connection. */
  readonly client: Redis;
  stop(): Promise<void>;
}

export interface CacheContext {
  readonly user: ServerUser | null;
  readonly watchdog: Watchdog;
  readonly logFile: string;
  readonly nonce: string;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Starts redis-server on a free port. Throws a LabError START_FAILED with its last log lines; then nothing is left. */
export async function startCache(context: CacheContext): Promise<Cache> {
  const { user, watchdog } = context;
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-redis-'));
  watchdog.remove(folder);
  const removeFolder = async (): Promise<void> => {
    await rm(folder, { recursive: true, force: true });
    watchdog.keep(folder);
  };
  try {
    if (user) await chown(folder, user.uid, user.gid);
    const { process, port, client } = await startServer(context, folder);
    return {
      process,
      url: `redis://127.0.0.1:${port}`,
      client,
      stop: async () => {
        client.disconnect();
        await process.stop(stopLimitMs);
        await removeFolder();
      },
    };
  } catch (error) {
    await removeFolder();
    throw error;
  }
}

async function startServer(
  context: CacheContext,
  folder: string,
): Promise<{ process: ServerProcess; port: number; client: Redis }> {
  const deadline = limitTo(readyLimitMs, context.signal);
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const process = await ServerProcess.start(
      {
        name: 'Redis',
        command: ['redis-server', ...serverArguments(port, folder)],
        cwd: folder,
        environment: { PATH: globalThis.process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
        logFile: context.logFile,
        user: context.user,
        politeSignal: 'TERM',
      },
      context.watchdog,
    );
    const client = await connectWhenReady(process, port, deadline, context.report);
    if (client) {
      await client.set(nonceKey, context.nonce);
      return { process, port, client };
    }
    const ended = !process.running;
    const logTail = await process.logTail();
    await process.stop(stopLimitMs);
    context.signal.throwIfAborted();
    if (ended && attempt < portTries && !(await isFree(port))) continue;
    throw new LabError(
      'START_FAILED',
      ended ? 'Redis ended while starting' : `Redis was not ready within ${readyLimitMs} ms`,
      `The whole log is ${context.logFile}.`,
      { logTail },
    );
  }
}

/** Arguments alone: without a file argument redis-server reads no configuration of the machine's. */
function serverArguments(port: number, folder: string): string[] {
  const settings = { port: String(port), bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', daemonize: 'no' };
  return Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
}

/** null: the process ended or the time was up. Nothing is written before Redis has named our process as its own. */
async function connectWhenReady(
  process: ServerProcess,
  port: number,
  deadline: AbortSignal,
  report: (line: string) => void,
): Promise<Redis | null> {
  const isOurs = async (client: Redis): Promise<boolean> =>
    infoField(await client.info('server'), 'process_id') === String(process.pid);
  while (process.running && !deadline.aborted) {
    try {
      return await openRedis(`redis://127.0.0.1:${port}`, isOurs, report);
    } catch {
      // Not listening yet.
    }
    await pause(pollMs, deadline).catch(() => undefined);
  }
  return null;
}
