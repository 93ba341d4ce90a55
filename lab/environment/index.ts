import type { Environment, EnvironmentRequest } from '../model/environment.ts';
import { LabError } from '../model/errors.ts';
import type { EnvironmentName } from '../model/plan.ts';
import { startNative } from './native/index.ts';

export { cpuQuotaOf } from './native/cpu-quota.ts';

export interface StartedEnvironment {
  readonly environment: Environment;
  /** Why this one was chosen, for the provenance. */
  readonly chosen: string;
}

/**
 * Starts the environment of that name. `auto` is native until there is another to choose from.
 * Rejects with a LabError: BAD_ARGUMENT for a name that there is none for, else what the environment says.
 */
export async function startEnvironment(
  name: 'auto' | EnvironmentName,
  request: EnvironmentRequest,
): Promise<StartedEnvironment> {
  switch (name) {
    case 'auto':
      return { environment: await startNative(request), chosen: 'auto: native is the only environment so far' };
    case 'native':
      return { environment: await startNative(request), chosen: 'asked for with --env native' };
    default:
      throw new LabError('BAD_ARGUMENT', `there is no environment "${name}" yet`, 'Use --env native (or auto).');
  }
}
