import { execa } from 'execa';
import { LabError } from '../../model/errors.ts';
import { accountForChild, type ProcessCost } from './cpu.ts';
import { createLogReader, type LogFindings } from './log.ts';

export interface K6Exit {
  /** null: ended by a signal. */
  readonly exitCode: number | null;
  readonly killedBy: string | null;
  readonly timedOut: boolean;
  readonly log: LogFindings;
  readonly cost: ProcessCost | null;
}

/** How long k6 may take to end by itself when told to, before it is killed. */
const graceMs = 2000;

/** Signals a whole process group; false when it is gone already. */
function signalGroup(leader: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(-leader, name);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * Runs k6 in a session of its own until it ends, at most `limitMs`. On abort its process group is told to end, killed after a
 * bounded time, and the promise rejects with the signal's reason once it is gone. Should this process exit first, k6 is killed;
 * should it be killed itself, only what `onStart` arranged can end k6 before its load is over.
 * Rejects with LabError GENERATOR_FAILED when k6 cannot be started.
 */
export async function runK6(
  [program, ...args]: readonly [string, ...string[]],
  options: {
    readonly env: Readonly<Record<string, string>>;
    readonly limitMs: number;
    readonly signal: AbortSignal;
    /** Called with the process group; what it returns is called when the group has ended. */
    readonly onStart?: (pid: number) => (() => void) | undefined;
  },
): Promise<K6Exit> {
  options.signal.throwIfAborted();
  const account = accountForChild();
  const subprocess = execa(program, args, {
    env: options.env,
    extendEnv: false,
    // A session of its own: the kernel shares CPU between sessions first.
    detached: true,
    stdin: 'ignore',
    // The scenario prints its text for people there.
    stdout: 'ignore',
    stderr: 'pipe',
    buffer: false,
    reject: false,
  });
  const { pid } = subprocess;
  let killer: NodeJS.Timeout | undefined;
  let timedOut = false;
  const kill = (): void => {
    if (pid !== undefined) signalGroup(pid, 'SIGKILL');
  };
  const stop = (): void => {
    if (pid === undefined || !signalGroup(pid, 'SIGTERM')) return;
    killer = setTimeout(kill, graceMs);
  };
  const limit = setTimeout(() => {
    timedOut = true;
    stop();
  }, options.limitMs);
  process.once('exit', kill);
  options.signal.addEventListener('abort', stop, { once: true });
  if (pid !== undefined) account.watch(pid);
  const log = createLogReader();
  let release: (() => void) | undefined;
  try {
    if (pid !== undefined) release = options.onStart?.(pid);
    if (pid !== undefined) {
      for await (const line of subprocess.iterable({ from: 'stderr' })) log.add(line);
    }
    const result = await subprocess;
    const cost = account.settle();
    options.signal.throwIfAborted();
    if (pid === undefined) {
      throw new LabError('GENERATOR_FAILED', `k6 could not be started: ${program}`, 'is it still where it was?', {
        cause: result,
      });
    }
    return {
      exitCode: result.exitCode ?? null,
      killedBy: result.signal ?? null,
      timedOut,
      log: log.findings(),
      cost,
    };
  } finally {
    clearTimeout(limit);
    clearTimeout(killer);
    process.off('exit', kill);
    release?.();
    options.signal.removeEventListener('abort', stop);
  }
}
