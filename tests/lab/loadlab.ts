import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { repositoryRoot } from '../../lab/contract/root.ts';

const runOptions = { reject: false, all: true, stdin: 'ignore' } as const;

/** Where a command runs, and what its environment has more. */
export interface Surroundings {
  readonly root?: string;
  readonly dataDir?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * Runs the `loadlab` command of a clone as a user would; never rejects: the exit code is what tests look at. Its servers are
 * processes of this machine unless the test says otherwise.
 */
export function loadlab(args: readonly string[], { root = repositoryRoot, dataDir, environment }: Surroundings = {}) {
  const env: Record<string, string> = {
    NO_COLOR: '1',
    LOADLAB_ENV: 'native',
    ...(dataDir === undefined ? {} : { LOADLAB_DATA_DIR: dataDir }),
    ...environment,
  };
  return execa(process.execPath, [join(root, 'lab/bin/loadlab.js'), ...args], { ...runOptions, cwd: root, env });
}

/** A running command; `all` is what it prints, both streams in order. */
export type LoadlabRun = ReturnType<typeof loadlab>;

/** Resolves when a running command has printed `text`; rejects when it ends without. */
export function printed(command: LoadlabRun, text: string | RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    let seen = '';
    command.all.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (typeof text === 'string' ? seen.includes(text) : text.test(seen)) resolve();
    });
    command.all.once('end', () => {
      reject(new Error(`it ended without printing ${String(text)}:\n${seen}`));
    });
  });
}

/** A study that ends in seconds: two small rounds. */
export const small = ['--vus', '5', '--duration', '800ms', '--rounds', '2', '--seed', '1'] as const;

/** A fresh folder for result sets. */
export function resultsFolder(): string {
  return mkdtempSync(join(tmpdir(), 'loadlab-sets-'));
}

/** The one set in a results folder. */
export function onlySet(folder: string): string {
  const [name, ...others] = readdirSync(folder);
  if (name === undefined || others.length > 0)
    throw new Error(`${folder} holds ${others.length + (name === undefined ? 0 : 1)} sets`);
  return join(folder, name);
}

/**
 * A copy of the clone that a test may change: what was built is copied, packages are linked. Studies and stacks added to it are
 * found as in any clone.
 */
export function copyOfClone(): string {
  const copy = mkdtempSync(join(tmpdir(), 'loadlab-clone-'));
  for (const entry of ['package.json', 'contract', 'studies', 'dist', 'go-api', 'k6', 'tsconfig.base.json']) {
    cpSync(join(repositoryRoot, entry), join(copy, entry), { recursive: true });
  }
  for (const folder of ['lab', 'node-api']) {
    cpSync(join(repositoryRoot, folder), join(copy, folder), {
      recursive: true,
      filter: (source) => !source.includes('node_modules'),
    });
  }
  symlinkSync(join(repositoryRoot, 'node_modules'), join(copy, 'node_modules'));
  const nested = join(repositoryRoot, 'node-api', 'node_modules');
  mkdirSync(join(copy, 'results'));
  if (existsSync(nested)) symlinkSync(nested, join(copy, 'node-api', 'node_modules'));
  return copy;
}

/** A data folder of a test's own that the user of PostgreSQL can enter. */
export function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'loadlab-data-'));
  chmodSync(folder, 0o755);
  return folder;
}

/** Processes that run in one of these folders or name one on their command line: what a lab left running. */
export function processesIn(folders: readonly string[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((pid) => {
      const [cwd, args] = whereabouts(pid);
      return folders.some((folder) => cwd.startsWith(folder) || args.includes(folder)) ? [`${pid} ${cwd} ${args}`] : [];
    });
}

/** A process that ends while it is looked at is nowhere. */
function whereabouts(pid: string): [cwd: string, args: string] {
  try {
    return [readlinkSync(`/proc/${pid}/cwd`), readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
  } catch (error) {
    if (error instanceof Error && 'code' in error) return ['', ''];
    throw error;
  }
}
