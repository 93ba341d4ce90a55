import type { Environment, EnvironmentRequest, OwnEnvironment } from '../model/environment.ts';
import { LabError } from '../model/errors.ts';
import type { EnvironmentName } from '../model/plan.ts';
import { findEngine } from './compose/engine.ts';
import { findK6Image } from './compose/k6-image.ts';
import { startCompose } from './compose/index.ts';
import { startNative } from './native/index.ts';
import { openRemote } from './remote/index.ts';
import type { RemoteTarget } from './remote/options.ts';

export { cpuQuotaOf } from './native/cpu-quota.ts';
export { remoteTarget, type RemoteOptions, type RemoteTarget } from './remote/options.ts';

/** An environment that was chosen and can be started. */
export interface EnvironmentSite<Kind extends Environment = Environment> {
  readonly name: EnvironmentName;
  /** Why this one was chosen, for the provenance. */
  readonly chosen: string;
  /** Whether its servers run on the lab's own machine. */
  readonly sameHost: boolean;
  /** Finds the k6 that the environment would run, where that is not one on PATH: a LabError when there is none. */
  readonly lookForK6?: (report: (line: string) => void, signal: AbortSignal) => Promise<{ readonly version: string }>;
  start(request: EnvironmentRequest): Promise<Kind>;
}

/** One whose servers the lab starts; `auto` is compose where a Docker engine and `docker compose` v2 answer, native otherwise. */
export type OwnEnvironmentName = 'auto' | Exclude<EnvironmentName, 'remote'>;

/**
 * Chooses an environment; `remote` says where its servers are, and nothing else needs it.
 * Rejects with a LabError TOOL_MISSING or TOOL_TOO_OLD for one that was asked for and cannot be had.
 */
export async function chooseEnvironment(
  wanted: 'auto' | EnvironmentName,
  remote: RemoteTarget | null,
): Promise<EnvironmentSite> {
  if (wanted !== 'remote') return chooseOwnEnvironment(wanted);
  if (remote !== null) return remoteSite(remote);
  throw new LabError('INTERNAL', '--env remote without its servers', 'Report this.');
}

/** The same for the environments whose servers the lab starts. */
export async function chooseOwnEnvironment(wanted: OwnEnvironmentName): Promise<EnvironmentSite<OwnEnvironment>> {
  switch (wanted) {
    case 'native':
      return native('asked for with --env native');
    case 'compose':
      return composeSite(await findEngine(), 'asked for with --env compose');
    case 'auto':
      return auto();
  }
}

/** Chooses and starts an environment of the lab's own. Rejects with a LabError, as chooseOwnEnvironment and the environment say. */
export async function startEnvironment(
  wanted: OwnEnvironmentName,
  request: EnvironmentRequest,
): Promise<{ readonly environment: OwnEnvironment; readonly chosen: string }> {
  const site = await chooseOwnEnvironment(wanted);
  return { environment: await site.start(request), chosen: site.chosen };
}

function remoteSite(target: RemoteTarget): EnvironmentSite {
  const where = Object.entries(target.baseUrls).map(([variant, url]) => `${variant} at ${url}`);
  return {
    name: 'remote',
    chosen: `asked for with --env remote: ${where.join(', ')}`,
    sameHost: target.sameHost,
    start: (request) => openRemote(target, request),
  };
}

function native(chosen: string): EnvironmentSite<OwnEnvironment> {
  return { name: 'native', chosen, sameHost: true, start: startNative };
}

function composeSite(engine: Awaited<ReturnType<typeof findEngine>>, chosen: string): EnvironmentSite<OwnEnvironment> {
  return {
    name: 'compose',
    chosen,
    sameHost: true,
    lookForK6: (report, signal) => findK6Image(engine, report, signal),
    start: (request) => startCompose(engine, request),
  };
}

async function auto(): Promise<EnvironmentSite<OwnEnvironment>> {
  try {
    const engine = await findEngine();
    const { version, composeVersion } = engine.fingerprint;
    return composeSite(engine, `auto: Docker ${version} and docker compose ${composeVersion} answer`);
  } catch (error) {
    // Whoever has no engine has not asked for one.
    if (!(error instanceof LabError)) throw error;
    return native(`auto: ${error.message}`);
  }
}
