import type { Environment } from '../model/environment.ts';
import type { LabEvent } from '../model/events.ts';
import type { ParityResult } from '../model/result.ts';
import { parityGate } from '../parity/index.ts';
import type { Inputs } from './inputs.ts';
import { untilAborted } from './until-aborted.ts';

/** Endpoint id -> the bytes that every response under load is compared with; only endpoints that passed. */
export type ReferenceBodies = ReadonlyMap<string, Uint8Array>;

/** The gate for every endpoint of the plan, in its order. @throws the reason of `signal`. */
export async function checkParity(
  { plan, contract }: Inputs,
  environment: Environment,
  emit: (event: LabEvent) => void,
  signal: AbortSignal,
): Promise<{ results: ParityResult[]; bodies: ReferenceBodies }> {
  const targets = plan.study.variants.map(({ id }) => ({ variant: id, baseUrl: environment.baseUrl(id) }));
  const results: ParityResult[] = [];
  const bodies = new Map<string, Uint8Array>();
  for (const endpoint of contract.endpoints.filter(({ id }) => plan.study.endpoints.includes(id))) {
    const gate = parityGate(endpoint, targets, (key) => environment.deleteCacheKey(key));
    const { result, referenceBody } = await untilAborted(gate, signal);
    results.push(result);
    if (referenceBody !== null) bodies.set(endpoint.id, referenceBody);
    emit({ kind: 'parity', result });
  }
  return { results, bodies };
}
