import { LabError } from '../../model/errors.ts';
import { limitTo } from '../limit.ts';
import { pause } from '../pause.ts';
import { askReady, type ExpectedApi } from '../servers/ready.ts';
import type { Containers } from './containers.ts';
import { startFailed } from './servers.ts';

/** Port of every API inside its container. */
export const apiPort = 8080;

const readyLimitMs = 60_000;
const pollMs = 15;

/**
 * Waits until the API in a service's container is ready and proven ours, and returns its URL on this machine: a restart moves a port
 * that the engine chose. Throws a LabError START_FAILED with its last log lines, or NOT_OURS.
 */
export async function waitForApi(
  containers: Containers,
  service: string,
  expected: Omit<ExpectedApi, 'baseUrl'>,
  signal: AbortSignal,
): Promise<string> {
  const limit = limitTo(readyLimitMs, signal);
  let last = 'it does not listen';
  let baseUrl: string | null = null;
  while (!limit.aborted) {
    const port: number | null = baseUrl === null ? await containers.publishedPort(service, apiPort) : null;
    if (port !== null) baseUrl = `http://127.0.0.1:${port}`;
    if (baseUrl === null) {
      const how = await containers.howItEnded(service);
      if (how !== null) throw await startFailed(containers, service, `${how} while starting`);
    } else {
      const readiness = await askReady({ ...expected, baseUrl }, limit);
      if (readiness.state === 'ready') return baseUrl;
      if (readiness.state === 'another') throw notOurs(service, baseUrl);
      last = readiness.why;
    }
    await pause(pollMs, limit).catch(() => undefined);
  }
  signal.throwIfAborted();
  throw await startFailed(containers, service, `was not ready within ${readyLimitMs / 1000} s: ${last}`);
}

function notOurs(service: string, baseUrl: string): LabError {
  return new LabError(
    'NOT_OURS',
    `${baseUrl} is answered by a server with another nonce, not by the container of ${service}`,
    'See who listens there; LOADLAB_NONCE must be answered on /health.',
  );
}
