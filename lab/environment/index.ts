import type { Environment, EnvironmentRequest } from '../model/environment.ts';
import { LabError } from '../model/errors.ts';
import type { EnvironmentName } from '../model/plan.ts';
import { findEngine } from './compose/engine.ts';
import { findK6Image } from './compose/k6-image.ts';
import { startCompose } from './compose/index.ts';
import { startNative } from './native/index.ts';

export { cpuQuotaOf } from './native/cpu-quota.ts';

/** An environment that was chosen and can be started. */
export interface EnvironmentSite {
  readonly name: EnvironmentName;
  /** Why this one was chosen, for the provenance. */
  readonly chosen: string;
  /** Whether its servers run on the lab's own machine. */
  readonly sameHost: boolean;
  /** Finds the k6 that the environment would run, where that is not one on PATH: a LabError when there is none. */
  readonly lookForK6?: () => Promise<{ readonly version: string }>;
  start(request: EnvironmentRequest): Promise<Environment>;
}

/**
 * Chooses an environment. `auto` is compose where a Docker engine and `docker compose` v2 answer, native otherwise.
 * Rejects with a LabError TOOL_MISSING or TOOL_TOO_OLD for one that was asked for and cannot be had.
 */
export async function chooseEnvironment(wanted: 'auto' | EnvironmentName): Promise<EnvironmentSite> {
  switch (wanted) {
    case 'native':
      return native('asked for with --env native');
    case 'compose':
      return composeSite(await findEngine(), 'asked for with --env compose');
    case 'auto':
      return auto();
    default:
      throw new LabError('BAD_ARGUMENT', `there is no environment "${wanted}" yet`, 'Use --env native (or auto).');
  }
}

/** Chooses and starts an environment. Rejects with a LabError, as chooseEnvironment and the environment say. */
export async function startEnvironment(
  wanted: 'auto' | EnvironmentName,
  request: EnvironmentRequest,
): Promise<{ readonly environment: Environment; readonly chosen: string }> {
  const site = await chooseEnvironment(wanted);
  return { environment: await site.start(request), chosen: site.chosen };
}

function native(chosen: string): EnvironmentSite {
  return { name: 'native', chosen, sameHost: true, start: startNative };
}

function composeSite(engine: Awaited<ReturnType<typeof findEngine>>, chosen: string): EnvironmentSite {
  return {
    name: 'compose',
    chosen,
    sameHost: true,
    lookForK6: () => findK6Image(engine),
    start: (request) => startCompose(engine, request),
  };
}

async function auto(): Promise<EnvironmentSite> {
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
