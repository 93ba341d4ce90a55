import { chmod, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import envPaths from 'env-paths';
import { LabError } from '../../model/errors.ts';
import type { ServerUser } from './server-user.ts';

/**
 * The folder that keeps the PostgreSQL binaries and the database between runs. Everything in it can be made again, so it
 * is a cache: the user's own one, or /var/cache/loadlab as root, because PostgreSQL then runs as another user, who cannot
 * enter a home with mode 0700. LOADLAB_DATA_DIR overrides it. Throws a LabError CANNOT_WRITE, or
 * ENVIRONMENT_FAILED where the server user cannot get there.
 */
export async function openDataHome(user: ServerUser | null): Promise<string> {
  const chosen = process.env.LOADLAB_DATA_DIR;
  const root = process.getuid?.() === 0;
  const home = chosen ? resolve(chosen) : root ? '/var/cache/loadlab' : envPaths('loadlab', { suffix: '' }).cache;
  try {
    const made = await mkdir(home, { recursive: true, mode: 0o700 });
    if (made !== undefined && root) await chmod(home, 0o755);
  } catch (error) {
    throw new LabError(
      'CANNOT_WRITE',
      `cannot make the data folder ${home}`,
      'Set LOADLAB_DATA_DIR to another folder.',
      {
        cause: error,
      },
    );
  }
  if (user) await requireWay(home, user);
  return home;
}

/** Throws a LabError ENVIRONMENT_FAILED that names the first folder on the way to `home` which `user` cannot enter. */
async function requireWay(home: string, user: ServerUser): Promise<void> {
  const steps: string[] = [];
  for (let folder = home; ; folder = dirname(folder)) {
    steps.unshift(folder);
    if (dirname(folder) === folder) break;
  }
  for (const folder of steps) {
    const { mode, uid, gid } = await stat(folder);
    const enter = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if ((mode & enter) !== 0) continue;
    throw new LabError(
      'ENVIRONMENT_FAILED',
      `PostgreSQL runs as user ${user.name}, who cannot enter ${folder}`,
      `Set LOADLAB_DATA_DIR to a folder that ${user.name} can reach (now ${home}), or unset it.`,
    );
  }
}
