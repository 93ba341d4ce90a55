import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { LabError, messageOf } from '../../model/errors.ts';
import type { Containers } from './containers.ts';
import type { Engine } from './engine.ts';
import { within } from './within.ts';

const everyMs = 2_000;
/** An engine under load answers late; one that is silent for so long is not there any more. */
const silenceLimitMs = 10_000;

/** What is watched, and who hears of it. */
export interface Watched {
  readonly engine: Engine;
  readonly project: string;
  readonly containers: Containers;
  /** Whether the end of that service's container is expected now. */
  readonly expected: (service: string) => boolean;
  readonly onFailure: (error: LabError) => void;
}

/**
 * Watches the project's containers and the engine until `signal` is aborted: a container that ends by itself (SERVER_DIED, with
 * its last log lines) or an engine that is silent (ENVIRONMENT_FAILED) is told once.
 */
export function watch(watched: Watched, signal: AbortSignal): void {
  const fail = (error: LabError): void => {
    if (!signal.aborted) watched.onFailure(error);
  };
  void followEvents(watched, fail, signal);
  void ping(watched.engine, fail, signal);
}

/** Follows the containers' deaths; where the stream ends, as with an engine that restarts, it is opened again. */
async function followEvents(watched: Watched, fail: (error: LabError) => void, signal: AbortSignal): Promise<void> {
  const isOver = (): boolean => signal.aborted;
  while (!isOver()) {
    // Where it cannot be opened, the engine does not answer, of which the ping tells.
    await followOnce(watched, fail, signal).catch(() => undefined);
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
    // A question now would be one more that a silent engine keeps waiting.
    if (isOver()) return;
    // What died in between was in no stream.
    await tellTheDead(watched, fail);
  }
}

/** Follows one stream until it ends. */
async function followOnce(
  { engine, project, containers, expected }: Watched,
  fail: (error: LabError) => void,
  signal: AbortSignal,
): Promise<void> {
  const events = await engine.streams.getEvents({
    filters: { label: [`com.docker.compose.project=${project}`], event: ['die'] },
    abortSignal: signal,
  });
  const lines = createInterface({ input: events });
  // The abort itself, or an engine that ends: the stream's end tells.
  for (const source of [events, lines]) source.on('error', () => undefined);
  lines.on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: string };
    const service = id === undefined ? null : containers.serviceOf(id);
    // A container of the project that is none of its services is one that the user started in it.
    if (service === null || expected(service)) return;
    void describeDeath(containers, service).then(fail);
  });
  await once(lines, 'close');
}

async function tellTheDead({ containers, expected }: Watched, fail: (error: LabError) => void): Promise<void> {
  for (const service of containers.services) {
    const how = await containers.howItEnded(service).catch(() => null);
    if (how !== null && !expected(service)) fail(await describeDeath(containers, service));
  }
}

async function describeDeath(containers: Containers, service: string): Promise<LabError> {
  const how = await containers.howItEnded(service).catch(() => null);
  return new LabError(
    'SERVER_DIED',
    `the container of ${service} ${how ?? 'ended'} in the middle`,
    `Its last lines are above; the whole log is ${service}.log of this set.`,
    { logTail: await containers.logTail(service) },
  );
}

/** The engine says nothing when it stops; so it is asked. */
async function ping({ docker }: Engine, fail: (error: LabError) => void, signal: AbortSignal): Promise<void> {
  let answeredAt = performance.now();
  while (!signal.aborted) {
    try {
      await within(silenceLimitMs, docker.ping());
      answeredAt = performance.now();
    } catch (error) {
      // fail() is silent once the watch is over.
      if (performance.now() - answeredAt >= silenceLimitMs) {
        fail(engineLost(messageOf(error)));
        return;
      }
    }
    await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
}

function engineLost(why: string): LabError {
  return new LabError(
    'ENVIRONMENT_FAILED',
    `the Docker engine does not answer any more: ${why}`,
    'Look after it (`docker info`); what was measured until then is kept.',
  );
}
