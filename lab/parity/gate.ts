import { createHash } from 'node:crypto';
import type { Endpoint } from '../model/contract.ts';
import { messageOf } from '../model/errors.ts';
import type { ParityResult } from '../model/result.ts';
import { bodyDifference, firstDifference, hopByHop } from './difference.ts';
import { get, header, type Response } from './response.ts';

/** A variant to be compared. */
export interface Target {
  readonly variant: string;
  readonly baseUrl: string;
}

/** The gate's finding and, when it passed, the bytes that every response under load is compared with. */
export interface GateOutcome {
  readonly result: ParityResult;
  readonly referenceBody: Buffer | null;
}

/** Deletes a key of the lab's cache. */
export type DeleteKey = (key: string) => Promise<void>;

/**
 * Same work or no race: asks every variant for the endpoint and compares status, headers and body bytes with the first
 * variant's, after validating that one in full (200, JSON, the contract's count). A cached endpoint is asked twice after its
 * key was deleted: a MISS, then a HIT, with the same bytes. A variant that does not answer fails the gate; nothing throws for it.
 */
export async function parityGate(
  endpoint: Endpoint,
  targets: readonly Target[],
  deleteKey: DeleteKey,
): Promise<GateOutcome> {
  const seen: { target: Target; response: Response }[] = [];
  const found = async (): Promise<string | null> => {
    for (const target of targets) {
      const { response, difference } = await ask(endpoint, target, deleteKey);
      seen.push({ target, response });
      if (difference !== null) return difference;
    }
    return compare(endpoint, seen);
  };
  const difference = await found().catch((error: unknown) => messageOf(error));
  const first = seen[0]?.response;
  return {
    result: {
      endpoint: endpoint.id,
      passed: difference === null,
      difference,
      status: first?.status ?? null,
      bodyBytes: first?.body.length ?? null,
      bodySha256: first === undefined ? null : createHash('sha256').update(first.body).digest('hex'),
      hopByHop: Object.fromEntries(seen.map(({ target, response }) => [target.variant, hopByHop(response)])),
    },
    referenceBody: difference === null && first !== undefined ? first.body : null,
  };
}

/**
 * Empties the cache of a cached endpoint and fills it through one stack: the first request must be a MISS, the next a HIT,
 * or one stack would serve what another stored. Does nothing for an endpoint without a cache.
 * @returns what was wrong in one line, or null.
 */
export async function primeCache(endpoint: Endpoint, target: Target, deleteKey: DeleteKey): Promise<string | null> {
  if (endpoint.cache === undefined) return null;
  return (await ask(endpoint, target, deleteKey)).difference;
}

async function ask(
  endpoint: Endpoint,
  { variant, baseUrl }: Target,
  deleteKey: DeleteKey,
): Promise<{ response: Response; difference: string | null }> {
  if (endpoint.cache === undefined) return { response: await get(baseUrl, endpoint.path), difference: null };
  await deleteKey(endpoint.cache.key);
  const first = await get(baseUrl, endpoint.path);
  const second = await get(baseUrl, endpoint.path);
  return { response: second, difference: cacheDifference(variant, first, second) };
}

function cacheDifference(variant: string, first: Response, second: Response): string | null {
  const [one, two] = [header(first, 'x-cache'), header(second, 'x-cache')];
  if (one !== 'MISS' || two !== 'HIT') {
    return `X-Cache: ${variant} answers ${one ?? 'none'} after the key was deleted, then ${two ?? 'none'}; MISS, then HIT are wanted`;
  }
  return bodyDifference(`${variant} (MISS)`, first.body, `${variant} (HIT)`, second.body);
}

function compare(endpoint: Endpoint, seen: readonly { target: Target; response: Response }[]): string | null {
  const first = seen[0];
  if (first === undefined) return 'no variants';
  const invalid = validate(endpoint, first.response);
  if (invalid !== null) return `${first.target.variant}: ${invalid}`;
  for (const { target, response } of seen.slice(1)) {
    const difference = firstDifference(first.target.variant, first.response, target.variant, response);
    if (difference !== null) return difference;
  }
  return null;
}

/** The reference body, validated in full, once: status 200, JSON, and the contract's count in `count` and in rows. */
function validate(endpoint: Endpoint, response: Response): string | null {
  if (response.status !== 200) return `status ${response.status}, 200 is wanted`;
  let body: unknown;
  try {
    body = JSON.parse(response.body.toString('utf8'));
  } catch (error) {
    return `the body is not JSON: ${messageOf(error)}`;
  }
  const wanted = endpoint.query?.expectedCount;
  if (wanted === undefined) return null;
  const { count } = body as { count?: unknown };
  if (count !== wanted)
    return `count is ${count === undefined ? 'missing' : JSON.stringify(count)}, ${wanted} is wanted`;
  const rows = Object.values(body as object).find((value) => Array.isArray(value)) as unknown[] | undefined;
  if (rows?.length !== wanted) return `count says ${wanted}, the body holds ${rows?.length ?? 'no'} rows`;
  return null;
}
