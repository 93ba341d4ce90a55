import type { Endpoint } from '../../lab/model/contract.ts';
import type { Environment } from '../../lab/model/environment.ts';
import { LabError } from '../../lab/model/errors.ts';
import { parityGate } from '../../lab/parity/index.ts';
import type { Pair } from './pairs.ts';

/** An endpoint and the body that every answer under load must have. */
export interface Target {
  readonly endpoint: Endpoint;
  readonly body: Uint8Array;
}

/**
 * Same work or no race: every API and every twin answers each endpoint with the same status, headers and bytes.
 * @throws LabError ENVIRONMENT_FAILED with the first difference
 */
export async function provenEqual(
  endpoints: readonly Endpoint[],
  pairs: readonly Pair[],
  environment: Environment,
): Promise<Target[]> {
  const servers = pairs
    .flatMap(({ api, twin }) => [api.variant.id, twin.variant.id])
    .map((variant) => ({ variant, baseUrl: environment.baseUrl(variant) }));
  const targets: Target[] = [];
  for (const endpoint of endpoints) {
    const { result, referenceBody } = await parityGate(endpoint, servers, (key) => environment.deleteCacheKey(key));
    if (referenceBody === null) {
      const what = `${endpoint.path} differs: ${result.difference ?? 'no reason given'}`;
      throw new LabError('ENVIRONMENT_FAILED', what, 'Make API and twin answer the same; nothing was loaded.');
    }
    targets.push({ endpoint, body: referenceBody });
  }
  return targets;
}
