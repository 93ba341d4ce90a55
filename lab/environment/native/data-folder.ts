import { chmod, chown, mkdir, mkdtemp, readFile, readdir, readlink, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import lockfile from 'proper-lockfile';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { releaseLock } from './lock.ts';
import { pause } from '../pause.ts';
import type { ServerUser } from './server-user.ts';
import type { Watchdog } from './watchdog.ts';

/** A lock whose owner has not touched it for this long is nobody's. The owner touches it every third of it. */
const lockStaleMs = 10_000;
/** How long a server of a lab that has just been killed may take to end. */
const leftoverLimitMs = 5_000;
/** Temporary folders that nobody locked by then were left by a lab that was killed. */
const abandonedAfterMs = 60_000;

/**
 * What made the database in a folder. It is written last, in one step: a folder without it, or with another one, is not
 * trusted and made anew.
 */
export const Manifest = z.strictObject({
  format: z.literal(1),
  postgres: z.string(),
  seedVersion: z.string(),
  seedMd5: z.string(),
  /** sha256 of the seed's SQL files. */
  seedSha256: z.string(),
  passwords: z.strictObject({ owner: z.string(), api: z.string() }),
});
export type Manifest = z.infer<typeof Manifest>;

/** A folder for one database, locked by this lab. */
export interface DataFolder {
  readonly path: string;
  /** PostgreSQL's data directory in it. */
  readonly cluster: string;
  /** Another lab has the lasting one: this one is removed at the end. */
  readonly temporary: boolean;
  /** Unlocks it; removes it if it is temporary. */
  release(): Promise<void>;
}

/** The lasting data folder, or a temporary one where another lab is using that. */
export async function claimDataFolder(
  home: string,
  watchdog: Watchdog,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<DataFolder> {
  await removeAbandoned(home);
  const lasting = join(home, 'database');
  const unlock = await lock(lasting, watchdog, report);
  if (unlock) {
    const leftover = await waitForLeftover(join(lasting, 'cluster'), signal);
    if (leftover === null) {
      await mkdir(lasting, { recursive: true, mode: 0o755 });
      return { path: lasting, cluster: join(lasting, 'cluster'), temporary: false, release: unlock };
    }
    await unlock();
    report(`a PostgreSQL that no lab owns (pid ${leftover}) runs in ${lasting}; end it with: kill -INT ${leftover}`);
  } else report(`another lab uses ${lasting}`);
  report('making a temporary database');
  const path = await mkdtemp(join(home, 'temporary-'));
  watchdog.remove(path);
  // mkdtemp lets only its owner in, and the server user may be another.
  if (process.getuid?.() === 0) await chmod(path, 0o755);
  const unlockTemporary = await lock(path, watchdog, report);
  const release = async (): Promise<void> => {
    await rm(path, { recursive: true, force: true });
    watchdog.keep(path);
    await unlockTemporary?.();
  };
  return { path, cluster: join(path, 'cluster'), temporary: true, release };
}

/** null where there is none, or none that this version understands. */
export async function readManifest(folder: DataFolder): Promise<Manifest | null> {
  try {
    const parsed = Manifest.safeParse(JSON.parse(await readFile(join(folder.path, 'manifest.json'), 'utf8')));
    return parsed.data ?? null;
  } catch {
    // Missing or damaged: both mean that the folder is not to be trusted.
    return null;
  }
}

/** Empties the folder, with a cluster directory that belongs to the server user. */
export async function clearDataFolder(folder: DataFolder, user: ServerUser | null): Promise<void> {
  await rm(join(folder.path, 'manifest.json'), { force: true });
  // Children of a server that was killed may still write for a moment.
  await rm(folder.cluster, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  await mkdir(folder.cluster, { mode: 0o700 });
  if (user) await chown(folder.cluster, user.uid, user.gid);
}

export async function writeManifest(folder: DataFolder, manifest: Manifest): Promise<void> {
  await writeFileAtomic(join(folder.path, 'manifest.json'), JSON.stringify(manifest, null, 2), { mode: 0o600 });
}

/** null: somebody else has it. */
async function lock(
  path: string,
  watchdog: Watchdog,
  report: (line: string) => void,
): Promise<(() => Promise<void>) | null> {
  const lockPath = `${path}.lock`;
  let unlock: () => Promise<void>;
  try {
    unlock = await lockfile.lock(path, {
      realpath: false,
      lockfilePath: lockPath,
      stale: lockStaleMs,
      update: lockStaleMs / 3,
      onCompromised: (error) => {
        // Not fatal: another lab finds postmaster.pid in use, and takes a temporary folder.
        report(`the lock of ${path} is lost: ${error.message}`);
      },
    });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ELOCKED') return null;
    throw error;
  }
  watchdog.remove(lockPath);
  return async () => {
    await releaseLock(unlock);
    watchdog.keep(lockPath);
  };
}

/**
 * A lab that was killed leaves postmaster.pid, and for a moment a server. The pid of a server that is still there after
 * 5 s; null: there is none, and no file that would make PostgreSQL believe so (the number may be another process's by now).
 */
async function waitForLeftover(cluster: string, signal: AbortSignal): Promise<number | null> {
  const file = join(cluster, 'postmaster.pid');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  const pid = Number(text.split('\n')[0]);
  for (let waited = 0; Number.isInteger(pid) && pid > 0 && (await serves(pid, cluster)); waited += 50) {
    if (waited >= leftoverLimitMs) return pid;
    await pause(50, signal);
  }
  await rm(file, { force: true });
  return null;
}

/** Whether process `pid` is a PostgreSQL on this data directory: its working directory on Linux, its arguments elsewhere. */
async function serves(pid: number, cluster: string): Promise<boolean> {
  if (process.platform === 'linux') return (await readlink(`/proc/${pid}/cwd`).catch(() => null)) === cluster;
  const { stdout } = await execa('ps', ['-p', String(pid), '-o', 'command='], { reject: false });
  return stdout.includes(cluster);
}

/** Temporary folders and half copies of labs that were killed together with their watchdog. */
async function removeAbandoned(home: string): Promise<void> {
  const names = (await readdir(home)).filter((name) => /^(temporary|making-\w+)-\w{6}$/.test(name));
  for (const path of names.map((name) => join(home, name))) {
    const age = Date.now() - ((await stat(path).catch(() => null))?.mtimeMs ?? Date.now());
    if (age < abandonedAfterMs) continue;
    const locked = await lockfile.check(path, { realpath: false, lockfilePath: `${path}.lock`, stale: lockStaleMs });
    if (locked) continue;
    await rm(path, { recursive: true, force: true });
    await rm(`${path}.lock`, { recursive: true, force: true });
  }
}
