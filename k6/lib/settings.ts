/**
 * What a run by k6 can be told, all by environment (`k6 run -e NAME=value`). Pure: no k6 module is imported, so that it can
 * be tested without k6.
 */
import type { CheckMode } from './checks.ts';

/** The environment as k6 shows it to a script. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Settings {
  /** http://host:port, without a trailing slash. */
  readonly baseUrl: string;
  /** Names what is under load in the summary and its file name. */
  readonly stack: string;
  readonly vus: number;
  /** Length of the window, in milliseconds. */
  readonly durationMs: number;
  readonly check: CheckMode;
  readonly executor: Executor;
  /** Folder with contract.json and thresholds.json; null: ../../contract beside the scenarios. */
  readonly contractDir: string | null;
  /** Folder for the summary; null: ../../results beside the scenarios, where that exists. */
  readonly resultsDir: string | null;
  /** File for the summary; null: a new name in the results folder. */
  readonly summary: string | null;
  /** X-Cache that every response must carry; `any`: not checked; null: as the contract says. */
  readonly expectCache: 'HIT' | 'any' | null;
  /** File with a body that was validated elsewhere: setup() then makes no request. */
  readonly reference: string | null;
  /** End the run early, once both are reached; null: never. For warm-ups. */
  readonly stopAfter: { readonly durationMs: number; readonly requests: number } | null;
}

export const executors = ['constant-vus'] as const;
export type Executor = (typeof executors)[number];

const checkModes = ['json', 'bytes', 'none'] as const satisfies readonly CheckMode[];

/** k6 itself refuses a shorter duration. */
const shortestDurationMs = 1000;
const longestDurationMs = 24 * 3600 * 1000;
const mostVus = 10_000;

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of a duration as k6 writes it (`30s`, `1m30s`, `1500ms`); null when it is none. */
export function parseDuration(text: string): number | null {
  if (!/^(\d+(\.\d+)?(ms|s|m|h))+$/.test(text)) return null;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * (unitMs[unit ?? ''] ?? Number.NaN);
  }
  return total;
}

/** A path as k6's own functions want it: absolute. A relative one counts from the folder in which k6 was started. */
function absolute(path: string, environment: Environment): string | null {
  if (path.startsWith('/')) return path;
  return environment.PWD === undefined ? null : `${environment.PWD}/${path}`;
}

/**
 * Reads and checks the environment. Every problem is one sentence that names the variable, what it is and what is allowed;
 * with problems, the settings are fallbacks that are good enough to reach setup(), which reports them and ends the run.
 */
export function readSettings(environment: Environment): { settings: Settings; problems: string[] } {
  const problems: string[] = [];
  const text = (name: string): string | null => {
    const value = environment[name];
    return value === undefined || value === '' ? null : value;
  };
  const refuse = <T>(name: string, value: string, allowed: string, fallback: T): T => {
    problems.push(`${name}: "${value}" is not ${allowed}`);
    return fallback;
  };
  const required = (name: string, example: string, pattern: RegExp, allowed: string): string => {
    const value = text(name);
    if (value === null) {
      problems.push(`${name} is missing (for example -e ${name}=${example})`);
      return '';
    }
    return pattern.test(value) ? value : refuse(name, value, allowed, '');
  };
  const whole = (name: string, fallback: number, max: number): number => {
    const value = text(name);
    if (value === null) return fallback;
    const number = Number(value);
    return /^\d+$/.test(value) && number >= 1 && number <= max
      ? number
      : refuse(name, value, `a whole number from 1 to ${max}`, fallback);
  };
  const oneOf = <T extends string>(name: string, allowed: readonly T[], fallback: T): T => {
    const value = text(name);
    if (value === null) return fallback;
    return (
      allowed.find((candidate) => candidate === value) ?? refuse(name, value, `one of ${allowed.join(', ')}`, fallback)
    );
  };
  const duration = (name: string, fallback: number, shortestMs: number): number => {
    const value = text(name);
    if (value === null) return fallback;
    const parsed = parseDuration(value);
    return parsed !== null && parsed >= shortestMs && parsed <= longestDurationMs
      ? parsed
      : refuse(name, value, `a duration of at least ${shortestMs}ms, such as 30s or 1m30s`, fallback);
  };
  const path = (name: string): string | null => {
    const value = text(name);
    if (value === null) return null;
    return absolute(value, environment) ?? refuse(name, value, 'an absolute path, and PWD is not set', null);
  };

  const stopAfterRequests = text('STOP_AFTER_REQUESTS');
  const settings: Settings = {
    baseUrl: required(
      'BASE_URL',
      'http://127.0.0.1:8080',
      /^https?:\/\/[^/\s?#]+\/?$/,
      'an http:// or https:// URL without a path',
    ).replace(/\/$/, ''),
    stack: required('STACK', 'go', /^[A-Za-z0-9][A-Za-z0-9._-]*$/, 'a name of letters, digits, dots, hyphens'),
    vus: whole('VUS', 20, mostVus),
    durationMs: duration('DURATION', 30_000, shortestDurationMs),
    check: oneOf('CHECK', checkModes, 'bytes'),
    executor: oneOf('EXECUTOR', executors, 'constant-vus'),
    contractDir: path('CONTRACT_DIR'),
    resultsDir: path('RESULTS_DIR'),
    summary: path('SUMMARY'),
    reference: path('REFERENCE'),
    expectCache: text('EXPECT_CACHE') === null ? null : oneOf('EXPECT_CACHE', ['HIT', 'any'] as const, 'any'),
    stopAfter:
      stopAfterRequests === null
        ? null
        : { requests: whole('STOP_AFTER_REQUESTS', 1, 1e9), durationMs: duration('STOP_AFTER', 1, 1) },
  };
  return { settings, problems };
}
