import { execa } from 'execa';
import { LabError } from '../../model/errors.ts';

/** The system user that PostgreSQL and Redis run as. */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** In order: `postgres` exists where PostgreSQL was ever installed, `nobody` everywhere. None is created. */
const candidates = ['postgres', 'nobody'];

/**
 * null: the lab's own user runs them. As root, which PostgreSQL refuses, an unprivileged user that exists.
 * Throws a LabError ENVIRONMENT_FAILED when there is none.
 */
export async function chooseServerUser(): Promise<ServerUser | null> {
  if (process.getuid?.() !== 0) return null;
  for (const name of candidates) {
    const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)]);
    if (uid !== null && gid !== null && uid !== 0) return { name, uid, gid };
  }
  throw new LabError(
    'ENVIRONMENT_FAILED',
    `PostgreSQL does not run as root, and there is no user ${candidates.join(' or ')} to run it as`,
    'Create one (useradd --system postgres), or run loadlab as an ordinary user.',
  );
}

async function idOf(flag: '-u' | '-g', name: string): Promise<number | null> {
  const { stdout, failed } = await execa('id', [flag, name], { reject: false });
  return !failed && /^\d+$/.test(stdout) ? Number(stdout) : null;
}
