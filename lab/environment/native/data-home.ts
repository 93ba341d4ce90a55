import { chmod, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import envPaths from 'env-paths';
import { LabError } from '../../model/errors.ts';

/**
 * The folder that keeps the PostgreSQL binaries and the database between runs. Everything in it can be made again, so it
 * is a cache: the user's own one, or /var/cache/loadlab as root, because PostgreSQL then runs as another user, who cannot
 * enter a home with mode 0700. LOADLAB_DATA_DIR overrides it. Throws a LabError CANNOT_WRITE.
 */
export async function openDataHome(): Promise<string> {
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
  return home;
}
