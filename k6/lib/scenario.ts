import { check } from 'k6';
import exec from 'k6/execution';
import http, { type Response } from 'k6/http';
import { Counter, Gauge } from 'k6/metrics';
import { checksFor, type Expectation, passes, type ResponseFacts } from './checks.ts';
import { type ContractEndpoint, folderExists, type LoadThresholds, readEndpoint, readThresholds } from './contract.ts';
import { explain } from './explain.ts';
import { failureKind, failureKinds, failureMetric } from './failures.ts';
import { optionsFor, type RunOptions } from './options.ts';
import { fetchReference, givenReference, refuseOtherScenarios, refuseProblems, type SetupData } from './reference.ts';
import { readSettings } from './settings.ts';
import { type HandledSummary, summaryFiles } from './summary.ts';

/** The exports of a scenario script, as k6 wants them. */
export interface ScenarioExports {
  readonly options: RunOptions;
  readonly setup: () => SetupData;
  /** One iteration: one request and its checks. */
  readonly request: (data: SetupData) => void;
  readonly handleSummary: (data: unknown) => HandledSummary;
}

/** Stand-ins that carry a run with problems as far as setup(), which reports them. */
const noEndpoint: ContractEndpoint = { id: 'unknown', path: '/', expectedCount: null, cached: false };
const noLimits: LoadThresholds = { p95Ms: 1, failedRate: 1, checksRate: 0 };

/** Everything about the load of one endpoint of the contract. */
export function scenario(endpointId: string): ScenarioExports {
  const { settings, problems } = readSettings(__ENV);
  const attempt = <T>(read: () => T, fallback: T): T => {
    try {
      return read();
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error));
      return fallback;
    }
  };
  const endpoint = attempt(() => readEndpoint(settings.contractDir, endpointId), noEndpoint);
  const limits = attempt(() => readThresholds(settings.contractDir), noLimits);
  const given = attempt(() => (settings.reference === null ? null : open(`file://${settings.reference}`)), null);
  if (settings.resultsDir !== null && !folderExists(`file://${settings.resultsDir}`)) {
    problems.push(`RESULTS_DIR: ${settings.resultsDir} does not exist`);
  }
  const url = settings.baseUrl + endpoint.path;
  const expected: Expectation = {
    mode: settings.check,
    count: endpoint.expectedCount,
    xCache: (settings.expectCache ?? (endpoint.cached ? 'HIT' : 'any')) === 'HIT' ? 'HIT' : null,
  };
  const conditions = Object.fromEntries(
    checksFor(expected).map((name) => [name, (facts: ResponseFacts) => passes(name, facts, expected)]),
  );
  const windowOpened = new Gauge('window_opened_at');
  const windowClosed = new Gauge('window_closed_at');
  const cache = {
    hit: new Counter('cache_hit'),
    miss: new Counter('cache_miss'),
    absent: new Counter('cache_absent'),
  };
  const failures = new Map(failureKinds.map((kind) => [kind, new Counter(failureMetric(kind))]));
  let firstIteration = true;
  // k6 would call any status from 200 to 399 expected.
  http.setResponseCallback(http.expectedStatuses(200));

  function countCache(xCache: string | null): void {
    if (xCache === 'HIT') cache.hit.add(1);
    else if (xCache === 'MISS') cache.miss.add(1);
    // Without a cache every response lacks the header, and a count of those would only cost time.
    else if (endpoint.cached) cache.absent.add(1);
  }

  function countOfJson(response: Response): number | null {
    if (settings.check !== 'json' || endpoint.expectedCount === null) return null;
    try {
      const { count } = response.json() as { count?: unknown };
      return typeof count === 'number' ? count : null;
    } catch {
      // json() throws on what is no JSON: that is a failed check, not the end of the iteration.
      return null;
    }
  }

  /** Ends a warm-up at the first moment when it has run for long enough and made enough requests. */
  function stopWhenWarm(): void {
    if (settings.stopAfter === null) return;
    const now = Date.now();
    // Iterations are counted when they start: up to one a VU is still under way.
    const enough = exec.scenario.iterationInTest >= settings.stopAfter.requests + settings.vus;
    if (enough && now - exec.scenario.startTime >= settings.stopAfter.durationMs) {
      windowClosed.add(now);
      exec.test.abort('STOP_AFTER and STOP_AFTER_REQUESTS are reached');
    }
  }

  return {
    options: optionsFor(settings, limits),

    setup: () => {
      refuseProblems(problems);
      refuseOtherScenarios();
      if (given !== null) return givenReference(given);
      return fetchReference(url, endpoint, countCache);
    },

    request: (data) => {
      if (firstIteration) {
        firstIteration = false;
        windowOpened.add(exec.scenario.startTime);
      }
      stopWhenWarm();
      const response = http.get(url);
      const xCache = response.headers['X-Cache'] ?? null;
      const facts: ResponseFacts = {
        status: response.status,
        bodyEqual: settings.check === 'bytes' && response.body === data.reference,
        count: countOfJson(response),
        xCache,
      };
      if (response.status !== 0) countCache(xCache);
      if (response.status !== 200) {
        failures.get(failureKind(response.status, response.error_code, response.error))?.add(1);
      }
      // k6 counts nothing of a request that the end of the window cuts off, but sometimes lets the script go on a little.
      if (!check(facts, conditions) && Date.now() < exec.scenario.startTime + settings.durationMs)
        explain(response, facts, expected, data.reference);
    },

    handleSummary: (data) => summaryFiles(data, settings, endpoint),
  };
}
