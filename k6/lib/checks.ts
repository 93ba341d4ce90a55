/**
 * The checks that every generator makes on every response. Pure: it judges facts and imports nothing, neither from k6 nor
 * from Node.js, so that k6 and the built-in generator share it to the letter. No bodies pass through here: whoever received
 * the body says whether it equals the reference, or what `count` its JSON holds.
 */

/** How bodies are checked: parsed as JSON (the published way), byte for byte with the reference, or not at all. */
export type CheckMode = 'json' | 'bytes' | 'none';

/** What is known of one response. */
export interface ResponseFacts {
  /** HTTP status; 0 when there was no response. */
  readonly status: number;
  /** `bytes` mode: whether the body equals the reference body. Ignored in the other modes. */
  readonly bodyEqual: boolean;
  /** `json` mode: the body's `count`; null when the body is not JSON or has none. Ignored in the other modes. */
  readonly count: number | null;
  /** The X-Cache header; null without one. */
  readonly xCache: string | null;
}

/** What a good response is. */
export interface Expectation {
  readonly mode: CheckMode;
  /** `json` mode: the count that the body must hold; null where the endpoint has none. */
  readonly count: number | null;
  /** The X-Cache header that every response must carry; null where the endpoint has no cache. */
  readonly xCache: 'HIT' | null;
}

export const checkNames = {
  status: 'status is 200',
  bytes: 'body is the reference body',
  json: 'count is as expected',
  cache: 'X-Cache is HIT',
} as const;

export type CheckName = (typeof checkNames)[keyof typeof checkNames];

/** The checks that an expectation asks for, in a fixed order. A check that is not asked for is neither passed nor failed. */
export function checksFor(expected: Expectation): readonly CheckName[] {
  const names: CheckName[] = [checkNames.status];
  if (expected.mode === 'bytes') names.push(checkNames.bytes);
  if (expected.mode === 'json' && expected.count !== null) names.push(checkNames.json);
  if (expected.xCache !== null) names.push(checkNames.cache);
  return names;
}

/** Whether one check holds for one response. */
export function passes(name: CheckName, facts: ResponseFacts, expected: Expectation): boolean {
  switch (name) {
    case checkNames.status:
      return facts.status === 200;
    case checkNames.bytes:
      return facts.bodyEqual;
    case checkNames.json:
      return facts.count !== null && facts.count === expected.count;
    case checkNames.cache:
      return facts.xCache === expected.xCache;
  }
}
