import { chown, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { LabError } from '../../model/errors.ts';
import { limitTo } from '../limit.ts';
import { ownerRole } from '../servers/database-login.ts';
import type { PostgresBinaries } from './binaries.ts';
import { clusterSettings, settingArguments } from './cluster-settings.ts';
import type { DataFolder } from './data-folder.ts';
import { pause } from '../pause.ts';
import { freePort, isFree } from './ports.ts';
import { describeExit, ServerProcess } from './server-process.ts';
import type { ServerUser } from './server-user.ts';
import type { Watchdog } from './watchdog.ts';

/** What every step with PostgreSQL's programs needs. */
export interface ClusterContext {
  readonly folder: DataFolder;
  readonly binaries: PostgresBinaries;
  /** null: the lab's own user. */
  readonly user: ServerUser | null;
  readonly watchdog: Watchdog;
  readonly logFile: string;
  readonly signal: AbortSignal;
}

const portTries = 5;
const pollMs = 10;
/** Fast shutdown writes a checkpoint; it takes milliseconds on a table that nobody changes. */
const stopLimitMs = 10_000;
const initdbLimitMs = 60_000;

// Nothing of the user's environment: PGDATA, PGPORT, LD_PRELOAD or a locale would change the server.
const environment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** A PostgreSQL that accepts connections. */
export interface Cluster {
  readonly process: ServerProcess;
  readonly port: number;
  stop(): Promise<void>;
  /** Ends it at once, for a cluster that is not used again. */
  kill(): Promise<void>;
}

/** Makes an empty cluster in the folder's cluster directory. Throws a LabError ENVIRONMENT_FAILED with initdb's last lines. */
export async function initialiseCluster(context: ClusterContext, ownerPassword: string): Promise<void> {
  const { folder, binaries, user, watchdog, logFile, signal } = context;
  const passwordFile = join(folder.path, 'initdb-password');
  await writeFile(passwordFile, `${ownerPassword}\n`, { mode: 0o600 });
  try {
    if (user) await chown(passwordFile, user.uid, user.gid);
    const initdb = await ServerProcess.start(
      {
        name: 'initdb',
        // A cluster that a crash of the machine damages is made anew, so initdb need not wait for the disk.
        command: [
          binaries.initdb,
          `--pgdata=${folder.cluster}`,
          `--username=${ownerRole}`,
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          '--locale=C',
          '--no-sync',
          '--no-instructions',
        ],
        cwd: folder.cluster,
        environment,
        logFile,
        user,
        politeSignal: 'TERM',
      },
      watchdog,
    );
    const exit = await endOf(initdb, limitTo(initdbLimitMs, signal));
    signal.throwIfAborted();
    if (exit !== 'exit code 0') {
      throw new LabError('ENVIRONMENT_FAILED', `PostgreSQL's initdb failed: ${exit}`, `The whole log is ${logFile}.`, {
        logTail: await initdb.logTail(),
      });
    }
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function endOf(process: ServerProcess, signal: AbortSignal): Promise<string> {
  const interrupt = (): void => void process.stop(0);
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  try {
    return describeExit(await process.exited);
  } finally {
    signal.removeEventListener('abort', interrupt);
    await process.stop(0);
  }
}

/**
 * Starts PostgreSQL on a free port and waits until it accepts connections, at most `limitMs`.
 * Throws a LabError START_FAILED with its last log lines.
 */
export async function startCluster(context: ClusterContext, limitMs: number): Promise<Cluster> {
  const { folder, binaries, user, logFile, watchdog, signal } = context;
  const deadline = limitTo(limitMs, signal);
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    const process = await ServerProcess.start(
      {
        name: 'PostgreSQL',
        command: [binaries.postgres, '-D', folder.cluster, '-p', String(port), ...settingArguments(clusterSettings)],
        cwd: folder.cluster,
        environment,
        logFile,
        user,
        politeSignal: 'INT',
      },
      watchdog,
    );
    const state = await waitUntilReady(process, folder.cluster, deadline);
    if (state === 'ready') {
      return { process, port, stop: () => process.stop(stopLimitMs), kill: () => process.stop(0) };
    }
    const logTail = await process.logTail();
    // One that was late has used up its time: it is not asked politely, unless the user interrupts.
    await process.stop(signal.aborted ? stopLimitMs : 0);
    signal.throwIfAborted();
    // Somebody took the port between choosing and listening.
    if (state === 'ended' && attempt < portTries && !(await isFree(port))) continue;
    throw new LabError(
      'START_FAILED',
      state === 'ended' ? 'PostgreSQL ended while starting' : `PostgreSQL was not ready within ${limitMs} ms`,
      `The whole log is ${logFile}.`,
      { logTail },
    );
  }
}

/** Asks postmaster.pid, which only our own server writes, rather than a port on which a stranger may answer. */
async function waitUntilReady(
  process: ServerProcess,
  cluster: string,
  deadline: AbortSignal,
): Promise<'ready' | 'ended' | 'late'> {
  while (process.running) {
    const lines = (await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n');
    if (Number(lines[0]) === process.pid && lines[7]?.trim() === 'ready') return 'ready';
    if (deadline.aborted) return 'late';
    await pause(pollMs, deadline).catch(() => undefined);
  }
  return 'ended';
}
