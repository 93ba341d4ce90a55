import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { repositoryRoot } from '../../contract/root.ts';
import { LabError } from '../../model/errors.ts';
import type { Bodies } from './answers.ts';

const startLimitMs = 30_000;

/** A server that answers a fixed body at once, in a process and a session of its own: what a generator can do at most. */
export interface NullServer {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly pid: number;
  close(): Promise<void>;
}

/**
 * Starts one on a free port of 127.0.0.1, with a body for each path; other paths are 404.
 * @throws LabError BUILD_FAILED when it is not compiled, START_FAILED when it does not start.
 */
export async function startNullServer(bodies: Bodies): Promise<NullServer> {
  const entry = join(repositoryRoot, 'dist/lab/load/null-server/worker.js');
  if (!existsSync(entry)) {
    throw new LabError('BUILD_FAILED', `${entry} is not there`, 'Build the project first: npm run build');
  }
  const child = fork(entry, [], { detached: true, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  child.send(bodies);
  const started = await Promise.race([
    once(child, 'message', { signal: AbortSignal.timeout(startLimitMs) }),
    ended.then(() => null),
  ]);
  const { pid } = child;
  if (started === null || pid === undefined) {
    throw new LabError('START_FAILED', 'the null server ended before it listened', 'See the lines above.');
  }
  const { port } = z.object({ port: z.int() }).parse(started[0]);
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    pid,
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
