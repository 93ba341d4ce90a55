import type { Response } from 'k6/http';
import { type CheckName, checkNames, checksFor, type Expectation, passes, type ResponseFacts } from './checks.ts';
import { bodyDifference, failureKind } from './failures.ts';

/** k6's own console; no type package describes it without those of a browser or of Node.js. */
declare const console: { warn(line: string): void };

/** How the log lines start by which a reader of the log finds the examples. */
const prefixes = { request: 'failed request: ', check: 'failed check: ' } as const;

/** What this VU has explained already: one line a kind is enough, and a VU cannot know of the others. */
const explained = new Set<string>();

function once(line: string, key: string): void {
  if (explained.has(key)) return;
  explained.add(key);
  // The log is the only way out of a VU for text.
  console.warn(line);
}

function shownBody(response: Response): string {
  if (typeof response.body !== 'string') return 'body not kept';
  return `${response.body.length} characters, ${JSON.stringify(response.body.slice(0, 40))}`;
}

function reasonFor(name: CheckName, response: Response, expected: Expectation, reference: string): string {
  switch (name) {
    case checkNames.status:
      return response.status === 0 ? 'no response' : `status ${response.status}`;
    case checkNames.bytes:
      return typeof response.body === 'string' ? bodyDifference(response.body, reference) : 'no body';
    case checkNames.json:
      return `expected ${expected.count ?? 'none'}; ${shownBody(response)}`;
    case checkNames.cache:
      return `X-Cache is ${response.headers['X-Cache'] ?? 'absent'}`;
  }
}

/** Logs why a response failed: one line for the request, one for each failed check, each kind once in a VU. */
export function explain(response: Response, facts: ResponseFacts, expected: Expectation, reference: string): void {
  if (response.status !== 200) {
    const kind = failureKind(response.status, response.error_code, response.error);
    const detail = response.status === 0 ? response.error : `${response.status_text}; ${shownBody(response)}`;
    once(`${prefixes.request}${kind}: ${detail}`, `${prefixes.request}${kind}`);
  }
  for (const name of checksFor(expected)) {
    if (passes(name, facts, expected)) continue;
    once(`${prefixes.check}${name}: ${reasonFor(name, response, expected, reference)}`, `${prefixes.check}${name}`);
  }
}
