import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import lockfile from 'proper-lockfile';
import { LabError } from '../../model/errors.ts';
import type { Stack } from '../../model/stack.ts';
import { resolveCommand } from './commands.ts';
import { releaseLock } from './lock.ts';
import { describeExit, ServerProcess } from './server-process.ts';
import type { Watchdog } from './watchdog.ts';

/** Variables that would change what is built, or how the build tool itself runs. Proxies, caches and module sources stay. */
const dropped =
  /^(NODE_OPTIONS|NODE_ENV|GOFLAGS|GODEBUG|GOEXPERIMENT|GOAMD64|GOARM64|GOOS|GOARCH|GOGC|GOMEMLIMIT|GOMAXPROCS|CGO_.*)$/;

export interface BuildContext {
  readonly home: string;
  readonly watchdog: Watchdog;
  readonly logDir: string;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs a stack's build command, whose tool skips what is up to date. One at a time per folder, also between labs: a
 * second one would write the same files. Throws a LabError BUILD_FAILED with the last lines.
 */
export async function buildStack(stack: Stack, context: BuildContext): Promise<void> {
  const unlock = await lockBuild(stack.folder, context.home, context.report);
  try {
    context.signal.throwIfAborted();
    context.report(`building ${stack.manifest.id}`);
    await runBuild(stack, context);
  } finally {
    await releaseLock(unlock);
  }
}

async function runBuild(stack: Stack, { watchdog, logDir, signal }: BuildContext): Promise<void> {
  const { id, build } = stack.manifest;
  const logFile = join(logDir, `build-${id}.log`);
  const process = await ServerProcess.start(
    {
      name: `the build of ${id}`,
      command: resolveCommand(stack.folder, build.command),
      cwd: stack.folder,
      environment: { ...buildEnvironment(), ...build.environment },
      logFile,
      user: null,
      politeSignal: 'TERM',
    },
    watchdog,
  );
  const interrupt = (): void => void process.stop(2_000);
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  const exit = await process.exited;
  signal.removeEventListener('abort', interrupt);
  const logTail = await process.logTail();
  await process.stop(0);
  signal.throwIfAborted();
  if (exit.code !== 0) {
    throw new LabError(
      'BUILD_FAILED',
      `${build.command.join(' ')} in ${stack.folder}: ${describeExit(exit)}`,
      `The whole log is ${logFile}.`,
      { logTail },
    );
  }
}

export function buildEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name, value]) => value !== undefined && !dropped.test(name));
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Waits up to two minutes for another lab's build of the same folder. */
async function lockBuild(folder: string, home: string, report: (line: string) => void): Promise<() => Promise<void>> {
  const locks = join(home, 'locks');
  await mkdir(locks, { recursive: true });
  const lockfilePath = join(locks, `build-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}.lock`);
  try {
    return await lockfile.lock(folder, {
      realpath: false,
      lockfilePath,
      stale: 10_000,
      onCompromised: (error) => {
        // At worst another lab builds at the same time; both builds make the same.
        report(`the lock of the build in ${folder} is lost: ${error.message}`);
      },
      retries: { retries: 480, factor: 1, minTimeout: 250, maxTimeout: 250 },
    });
  } catch (error) {
    throw new LabError(
      'BUILD_FAILED',
      `another lab has been building ${folder} for two minutes`,
      `Remove ${lockfilePath} if there is none.`,
      {
        cause: error,
      },
    );
  }
}
