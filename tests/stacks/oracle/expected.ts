import type { Contract } from '../../../lab/model/contract.ts';
import { hopByHop } from '../../../lab/parity/difference.ts';
import type { Response } from '../wire/response.ts';

/** What is compared of a response: everything but `Date` and hop-by-hop headers. */
export interface Seen {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: string;
}

/** A response without what may differ between stacks, header names and values in order of name. */
export function seen(response: Response): Seen {
  const apart = hopByHop(response);
  const headers = response.headers.filter(([name]) => !(name in apart)).map(([name, value]) => `${name}: ${value}`);
  return { status: response.status, headers: headers.sort(), body: response.body.toString() };
}

/** The whole answer that docs/api.md promises. `method` HEAD: the same without the body. */
export function expected(
  contract: Contract,
  method: string,
  answer: { readonly status: number; readonly body: string; readonly xCache?: 'HIT' | 'MISS' | undefined },
): Seen {
  const { status, body, xCache } = answer;
  const headers = [
    ...(status === 405 ? ['allow: GET, HEAD'] : []),
    `content-length: ${Buffer.byteLength(body)}`,
    'content-type: application/json; charset=utf-8',
    ...(status === 503 ? [`retry-after: ${contract.limits.retryAfterSeconds}`] : []),
    ...(xCache === undefined ? [] : [`x-cache: ${xCache}`]),
  ];
  return { status, headers, body: method === 'HEAD' ? '' : body };
}

export const greeting = JSON.stringify({ message: 'Hello!' });

/** The body of an answer that is no 200. */
export function errorBody(message: string): string {
  return JSON.stringify({ error: message });
}

const bodies = {
  404: 'not found',
  405: 'method not allowed',
  400: 'bad q',
} as const;

/** The answers that need no more than their status. */
export function refusal(status: keyof typeof bodies): { status: number; body: string } {
  return { status, body: errorBody(bodies[status]) };
}

/** What a database that does not answer makes of a request. */
export const unavailable = { status: 503, body: errorBody('database unavailable') };

/** What a pool that gives no connection makes of a request. */
export const busy = { status: 503, body: errorBody('database busy') };
