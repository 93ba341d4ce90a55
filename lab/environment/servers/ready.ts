import type { Contract } from '../../model/contract.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import type { Stack } from '../../model/stack.ts';
import { askHealth, type Health } from './health.ts';

/** An API that was started, and what it must say of itself. */
export interface ExpectedApi {
  readonly baseUrl: string;
  readonly stack: Stack;
  readonly contract: Contract;
  /** null: it was not started by the lab, and any nonce will do. */
  readonly nonce: string | null;
}

/** `ready`: what it says of itself; `not-yet`: why; `another`: another nonce, so another server, answers there. */
export type Readiness =
  | { readonly state: 'ready'; readonly health: Health }
  | { readonly state: 'not-yet'; readonly why: string }
  | { readonly state: 'another' };

/** Asks an API once whether it is ready. Throws a LabError NOT_OURS when it is ready and not what it should be. */
export async function askReady(expected: ExpectedApi, signal: AbortSignal): Promise<Readiness> {
  let answer;
  try {
    answer = await askHealth(expected.baseUrl, true, signal);
  } catch (error) {
    return { state: 'not-yet', why: messageOf(error) };
  }
  const { health, status, excerpt } = answer;
  if (health === null) {
    return { state: 'not-yet', why: `status ${status} with a body that no stack answers: ${excerpt}` };
  }
  if (expected.nonce !== null && health.nonce !== expected.nonce) return { state: 'another' };
  if (status === 200) return { state: 'ready', health: accept(expected, health) };
  return { state: 'not-yet', why: `database: ${health.database ?? '?'}, cache: ${health.cache ?? '?'}` };
}

function accept({ stack, contract }: ExpectedApi, health: Health): Health {
  const wrong =
    health.stack !== stack.manifest.id
      ? `answers as stack ${health.stack}`
      : health.seedVersion !== contract.seed.version
        ? `sees seed version ${health.seedVersion ?? 'none'} instead of ${contract.seed.version}`
        : null;
  if (wrong === null) return health;
  throw new LabError('NOT_OURS', `${stack.manifest.id} ${wrong} on /health`, 'Compare its /health with docs/api.md.');
}
