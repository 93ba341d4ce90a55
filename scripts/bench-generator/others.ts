import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { execa, ExecaError } from 'execa';
import { z } from 'zod';
import { repositoryRoot } from '../../lab/contract/root.ts';
import { accountForChild } from '../../lab/load/k6/cpu.ts';
import { LabError } from '../../lab/model/errors.ts';
import type { Contestant, Run } from './contestant.ts';
import { cpuMicros, spent } from './process-cpu.ts';

const AutocannonResult = z.strictObject({
  requestsInWindow: z.int(),
  windowMs: z.number().positive(),
  requests: z.int(),
  failed: z.int(),
});

/** autocannon, in a process and a session of its own that lives across runs, as the builtin generator's does. */
export function startAutocannon(): Contestant {
  const entry = join(repositoryRoot, 'dist/scripts/bench-generator/autocannon-worker.js');
  const child = fork(entry, [], { detached: true, execArgv: [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  return {
    name: 'autocannon',
    checks: 'status only',
    run: async ({ target, seconds, connections }) => {
      const { pid } = child;
      if (pid === undefined) throw new LabError('GENERATOR_FAILED', 'autocannon did not start', 'npm ci');
      const before = cpuMicros(pid);
      child.send({ url: target.baseUrl + target.endpoint.path, connections, duration: seconds });
      const answer = await Promise.race([once(child, 'message'), ended.then(() => null)]);
      if (answer === null) throw new LabError('GENERATOR_FAILED', 'autocannon ended by itself', 'See the lines above.');
      const result = AutocannonResult.parse(answer[0]);
      if (result.failed > 0 || result.requests === 0) {
        throw new LabError('GENERATOR_FAILED', `autocannon: ${result.failed} requests failed`, 'Run it again.');
      }
      return {
        requestsInWindow: result.requestsInWindow,
        windowMs: result.windowMs,
        requests: result.requests,
        cpuMicros: spent(before, cpuMicros(pid)),
      };
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

/** wrk with one thread; null where it is not on PATH. */
export async function wrkIfThere(): Promise<Contestant | null> {
  if (!(await isThere('wrk'))) return null;
  return { name: 'wrk', checks: 'nothing', run: runWrk, close: () => Promise.resolve() };
}

async function runWrk({ target, seconds, connections }: Run): ReturnType<Contestant['run']> {
  const account = accountForChild();
  const url = target.baseUrl + target.endpoint.path;
  const args = ['-t', '1', '-c', String(connections), '-d', `${Math.ceil(seconds)}s`, url];
  const subprocess = execa('wrk', args, { detached: true, stdin: 'ignore' });
  if (subprocess.pid !== undefined) account.watch(subprocess.pid);
  const { stdout } = await subprocess;
  const cost = account.settle();
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1]);
  const requestsPerSecond = Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  if (!(requests > 0 && requestsPerSecond > 0) || /Non-2xx|Socket errors/.test(stdout)) {
    throw new LabError('GENERATOR_FAILED', `wrk: no figures, or errors, in its output:\n${stdout}`, 'Run it again.');
  }
  return {
    requestsInWindow: requests,
    windowMs: (requests * 1000) / requestsPerSecond,
    requests,
    cpuMicros: cost === null ? null : (cost.userMs + cost.systemMs) * 1000,
  };
}

async function isThere(command: string): Promise<boolean> {
  try {
    // wrk has no flag that ends with 0: that it ran at all is the answer.
    await execa(command, ['--version'], { reject: true });
    return true;
  } catch (error) {
    if (error instanceof ExecaError) return error.code !== 'ENOENT';
    throw error;
  }
}
