import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { GeneratorPlace } from '../../model/environment.ts';
import { environmentFor } from './command.ts';

/** Where k6 runs, as one run sees it: paths as k6 knows them, and the way to start it. */
export interface K6Site {
  /** Scenarios and contract/, as k6 reads them. */
  readonly scenariosDir: string;
  readonly contractDir: string;
  /** The command on this machine that runs k6 with these arguments, and its environment. */
  commandLine(binary: string, args: readonly string[]): readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  /** A file of the run's own: its path here, and as k6 knows it. */
  file(name: string): { readonly here: string; readonly there: string };
  /** Where k6 writes its summary, as k6 knows it. */
  readonly summary: string;
  /** Brings the summary, if there is one, to where it is kept. */
  collect(): Promise<void>;
  /** The run's folder, absolute, here. */
  readonly folder: string;
  /** Removes the run's folder. */
  clear(): Promise<void>;
}

/** Folders of scenarios and contract on this machine. */
export interface K6Folders {
  readonly scenariosDir: string;
  readonly contractDir: string;
}

/** k6 as a process of this machine; the summary goes straight to `kept`. */
export async function siteHere(folders: K6Folders, kept: string): Promise<K6Site> {
  await prepare(kept);
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-k6-'));
  return {
    ...folders,
    commandLine: (binary, args) => [binary, ...args],
    environment: environmentFor(folder, process.env),
    file: (name) => ({ here: join(folder, name), there: join(folder, name) }),
    summary: kept,
    collect: () => Promise.resolve(),
    folder,
    clear: () => rm(folder, { recursive: true, force: true }),
  };
}

/** k6 in a place of its own, which shares one folder with this machine: the summary is fetched from there. */
export async function siteIn(place: GeneratorPlace, kept: string): Promise<K6Site> {
  await prepare(kept);
  const folder = await mkdtemp(join(place.exchange.here, 'k6-'));
  const there = `${place.exchange.there}/${basename(folder)}`;
  // What k6 finds there is that place's own; it keeps nothing, so its home is the run's folder.
  const environment = environmentFor(there, { HOME: there });
  return {
    scenariosDir: `${place.root}/k6/scenarios`,
    contractDir: `${place.root}/contract`,
    commandLine: (binary, args) => place.commandLine([binary, ...args], environment),
    // The command is the engine's own client, which finds its engine by what the user has set.
    environment: Object.fromEntries(Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]))),
    file: (name) => ({ here: join(folder, name), there: `${there}/${name}` }),
    summary: `${there}/summary.json`,
    collect: async () => {
      await copyFile(join(folder, 'summary.json'), kept).catch((error: unknown) => {
        // No summary is k6's failure, which its exit code and log explain.
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      });
    },
    folder,
    clear: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Whatever is there afterwards is this run's. */
async function prepare(kept: string): Promise<void> {
  await mkdir(dirname(kept), { recursive: true });
  await rm(kept, { force: true });
}
