import exec from 'k6/execution';
import http from 'k6/http';
import type { ContractEndpoint } from './contract.ts';
import { scenarioName } from './options.ts';

/** What setup() hands to every VU. */
export interface SetupData {
  /** The body that every response is compared with. */
  readonly reference: string;
}

/** Ends the run before it starts, with one line. */
function refuse(problem: string): never {
  exec.test.abort(problem);
  // abort() ends the script by itself; the type of it does not say so.
  throw new Error(problem);
}

/** Refuses a run whose load was given by k6's own flags: they replace the scenario, and nothing would be counted. */
export function refuseOtherScenarios(): void {
  const scenarios = Object.keys(exec.test.options.scenarios ?? {});
  if (scenarios.length !== 1 || scenarios[0] !== scenarioName) {
    refuse('the load was replaced by flags or K6_ variables of k6: use -e VUS=… -e DURATION=… instead');
  }
}

/** Ends the run with every problem of the settings in one line. */
export function refuseProblems(problems: readonly string[]): void {
  if (problems.length > 0) refuse(problems.join('; '));
}

/** A body as text can be compared byte for byte only if nothing of it was replaced when it was decoded. */
function refuseReplaced(body: string): string {
  return body.includes('\ufffd') ? refuse('the reference body is not UTF-8 text: k6 cannot compare it') : body;
}

/** The reference body as validated elsewhere. */
export function givenReference(body: string): SetupData {
  return { reference: refuseReplaced(body) };
}

/** What JSON.parse answers, or undefined for what is no JSON. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Not JSON is an answer here, and its caller reports it.
    return undefined;
  }
}

function countOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'count' in value ? value.count : undefined;
}

/**
 * Fetches the endpoint once and validates the answer in full: reachable, status 200, JSON, the contract's count. With a cache
 * this first request is also what fills it, so that the responses of the window are hits. Ends the run otherwise.
 * `countCache` is told its X-Cache header.
 */
export function fetchReference(
  url: string,
  endpoint: ContractEndpoint,
  countCache: (xCache: string | null) => void,
): SetupData {
  // discardResponseBodies holds for setup() too, unless a request says otherwise.
  const response = http.get(url, { responseType: 'text' });
  if (response.status !== 0) countCache(response.headers['X-Cache'] ?? null);
  if (response.status === 0) refuse(`${url} cannot be reached: ${response.error}`);
  if (response.status !== 200) refuse(`${url} answered status ${response.status}, not 200: ${response.status_text}`);
  const body = response.body;
  const value = parsed(body);
  if (value === undefined) refuse(`${url} answered no JSON: ${JSON.stringify(body.slice(0, 60))}`);
  if (endpoint.expectedCount !== null && countOf(value) !== endpoint.expectedCount) {
    refuse(`${url}: count is ${JSON.stringify(countOf(value))}, the contract says ${endpoint.expectedCount}`);
  }
  return { reference: refuseReplaced(body) };
}
