import { join } from 'node:path';
import type { Contract } from '../../model/contract.ts';
import { LabError } from '../../model/errors.ts';
import { limitTo } from '../limit.ts';
import type { Stack } from '../../model/stack.ts';
import type { Variant } from '../../model/study.ts';
import { resolveCommand } from './commands.ts';
import type { Health } from '../servers/health.ts';
import { askReady } from '../servers/ready.ts';
import { pause } from '../pause.ts';
import { freePort, isFree } from './ports.ts';
import { ServerProcess } from './server-process.ts';
import type { Watchdog } from './watchdog.ts';

const portTries = 5;
const readyLimitMs = 30_000;
const pollMs = 15;
/** Beyond the API's own shutdown limit, after which it cuts connections itself. */
const stopGraceMs = 1_000;

export interface ApiRequest {
  readonly variant: Variant;
  readonly stack: Stack;
  readonly contract: Contract;
  readonly contractDir: string;
  /** As the APIs' own role. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly nonce: string;
  readonly logDir: string;
  readonly watchdog: Watchdog;
}

/** One variant's API: ready, and proven to be the process that was started. */
export interface Api {
  readonly variant: string;
  readonly process: ServerProcess;
  readonly port: number;
  readonly baseUrl: string;
  readonly health: Health;
  stop(): Promise<void>;
}

/** `port` null: a free one. `must` says whether another port would do as well. */
export interface PortWish {
  readonly port: number | null;
  readonly must: boolean;
}

/**
 * Starts one API and waits until it reports itself ready with our nonce and the contract's seed.
 * Throws a LabError (START_FAILED, NOT_OURS) with its last log lines; then it is not left running.
 */
export async function startApi(request: ApiRequest, wish: PortWish, signal: AbortSignal): Promise<Api> {
  const { variant, stack, contract } = request;
  for (let attempt = 1; ; attempt += 1) {
    const port = wish.port !== null && (wish.must || attempt === 1) ? wish.port : await freePort();
    if (wish.must && !(await isFree(port))) throw portInUse(variant, port);
    const process = await ServerProcess.start(
      {
        name: `the API of variant ${variant.id} (${stack.manifest.id})`,
        command: resolveCommand(stack.folder, stack.manifest.start.command),
        cwd: stack.folder,
        environment: apiEnvironment(request, port),
        logFile: join(request.logDir, `api-${variant.id}.log`),
        user: null,
        politeSignal: 'TERM',
      },
      request.watchdog,
    );
    const stop = (): Promise<void> => process.stop(contract.limits.shutdownTimeoutMs + stopGraceMs);
    const baseUrl = `http://127.0.0.1:${port}`;
    try {
      const health = await waitUntilReady(request, process, baseUrl, signal);
      return { variant: variant.id, process, port, baseUrl, health, stop };
    } catch (error) {
      await stop();
      // Somebody took the port between choosing and listening: with our own process gone, it is still not free.
      if (!signal.aborted && attempt < portTries && !wish.must && !(await isFree(port))) continue;
      throw error;
    }
  }
}

function portInUse(variant: Variant, port: number): LabError {
  return new LabError(
    'START_FAILED',
    `port ${port}, wanted for variant ${variant.id}, is in use`,
    `See who has it (ss -ltnp "sport = :${port}"), or choose another port.`,
  );
}

/**
 * The whole environment of an API. What the user has set stays out: NODE_OPTIONS, GOMAXPROCS, GOGC, UV_THREADPOOL_SIZE
 * or PG… would change the result, and two machines would differ by their users' habits.
 */
function apiEnvironment(request: ApiRequest, port: number): Record<string, string> {
  const { variant, stack } = request;
  const inherited = ['PATH', 'HOME', 'TMPDIR'].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    ...stack.manifest.start.environment,
    ...variant.environment,
    HOST: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: request.databaseUrl,
    REDIS_URL: request.redisUrl,
    CONTRACT_DIR: request.contractDir,
    LOADLAB_NONCE: request.nonce,
  };
}

async function waitUntilReady(
  request: ApiRequest,
  process: ServerProcess,
  baseUrl: string,
  signal: AbortSignal,
): Promise<Health> {
  // No event tells that a port is open, so it is asked again and again; that the process ended is an event.
  const over = new AbortController();
  void process.exited.then(() => {
    over.abort();
  });
  const limit = limitTo(readyLimitMs, signal, over.signal);
  const expected = { baseUrl, stack: request.stack, contract: request.contract, nonce: request.nonce };
  let last = 'it does not listen';
  while (!limit.aborted) {
    const readiness = await askReady(expected, limit);
    if (readiness.state === 'ready') return readiness.health;
    if (readiness.state === 'another') throw await notOurs(request, process, baseUrl);
    last = readiness.why;
    await pause(pollMs, limit).catch(() => undefined);
  }
  signal.throwIfAborted();
  throw new LabError(
    'START_FAILED',
    process.running
      ? `${process.name} was not ready within ${readyLimitMs} ms: ${last}`
      : `${process.name} ended while starting`,
    `Its last lines are below; the whole log is ${process.logFile}.`,
    { logTail: await process.logTail() },
  );
}

/** The port's owner has another nonce. Where our own process has ended, its last words are the better story. */
async function notOurs(request: ApiRequest, process: ServerProcess, baseUrl: string): Promise<LabError> {
  return new LabError(
    'NOT_OURS',
    `${baseUrl} is answered by a server with another nonce, not by ${process.name}`,
    `A server left over from an earlier run? See who listens; LOADLAB_NONCE must be answered on /health by ${request.stack.manifest.id}.`,
    { logTail: await process.logTail() },
  );
}
