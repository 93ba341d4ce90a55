import { appendFile } from 'node:fs/promises';
import { execa } from 'execa';
import { LabError, type ErrorCode } from '../../model/errors.ts';

/** How `docker compose` is called for one project. */
export interface ComposeContext {
  readonly project: string;
  /** Absolute paths, the base first. */
  readonly files: readonly string[];
  /** Absolute path of the folder whose `.env` counts, and from which relative paths count. */
  readonly directory: string;
  /** Variables of docker-compose.yml that the lab sets; they go before those of the user's environment and `.env`. */
  readonly variables: Readonly<Record<string, string>>;
  /** All that it prints goes there; null: nowhere. */
  readonly logFile: string | null;
}

export interface ComposeCall {
  readonly limitMs: number;
  readonly signal?: AbortSignal;
  /** What it is when it fails, and what to say of it. */
  readonly code: ErrorCode;
  readonly failure: string;
  readonly hint: string;
}

const tailLines = 20;

/** Runs `docker compose …` and returns its standard output. Throws a LabError of the call's code with the last lines, or the signal's reason. */
export async function compose(context: ComposeContext, args: readonly string[], call: ComposeCall): Promise<string> {
  const { project, files, directory, variables, logFile } = context;
  const own = ['--project-name', project, '--project-directory', directory, ...files.flatMap((file) => ['-f', file])];
  const { stdout, stderr, exitCode, timedOut } = await execa('docker', ['compose', ...own, ...args], {
    cwd: directory,
    env: { ...environmentFor(process.env), ...variables },
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: call.limitMs,
    forceKillAfterDelay: 2_000,
    ...(call.signal === undefined ? {} : { cancelSignal: call.signal }),
  });
  // A log that cannot be written must not keep containers from being removed.
  if (logFile !== null) {
    await appendFile(logFile, `$ docker compose ${args.join(' ')}\n${stderr}\n`).catch(() => undefined);
  }
  call.signal?.throwIfAborted();
  if (exitCode === 0) return stdout;
  const why = timedOut ? ` (no end within ${call.limitMs / 1000} s)` : '';
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  throw new LabError(call.code, `${call.failure}${why}`, call.hint, { logTail: lines.slice(-tailLines) });
}

/** What the user has set for Compose itself would choose other files, projects or profiles; the rest is the user's to say. */
export function environmentFor(own: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) =>
      value === undefined || name.startsWith('COMPOSE_') ? [] : [[name, value] as const],
    ),
  );
}
