import type { Options } from 'k6/options';
import type { LoadThresholds } from './contract.ts';
import type { Executor, Settings } from './settings.ts';

/** The one scenario's name. What carries this tag was done in the window; setup() does not carry it. */
export const scenarioName = 'load';

/** A metric, restricted to the window. */
export function inWindow(metric: string): string {
  return `${metric}{scenario:${scenarioName}}`;
}

/** A timing, restricted to the window's good responses: k6 counts a refused connection as one that took 0 ms. */
export function goodInWindow(metric: string): string {
  return `${metric}{scenario:${scenarioName},expected_response:true}`;
}

/** The part of k6's scenario options that is used here. */
interface ScenarioOptions {
  readonly executor: Executor;
  readonly vus: number;
  readonly duration: string;
  readonly gracefulStop: string;
}

/** k6's options; its types describe a scenario as an instance of a class that no script can make. */
export type RunOptions = Omit<Options, 'scenarios'> & { readonly scenarios: Readonly<Record<string, ScenarioOptions>> };

/** How each executor turns the settings into a k6 scenario: a further one is a further line. */
const scenarioByExecutor: Readonly<Record<Executor, (settings: Settings) => ScenarioOptions>> = {
  'constant-vus': (settings) => ({
    executor: 'constant-vus',
    vus: settings.vus,
    duration: `${settings.durationMs}ms`,
    // A request that is still under way when the window ends belongs to no window: k6 drops it.
    gracefulStop: '0s',
  }),
};

export const phases = ['blocked', 'connecting', 'sending', 'waiting', 'receiving'] as const;

/** An expression that always holds: k6 keeps a tagged part of a metric for its summary only if a threshold names it. */
const always = { trend: ['max>=0'], counter: ['count>=0'] } as const;

/** k6's options for a run. */
export function optionsFor(settings: Settings, limits: LoadThresholds): RunOptions {
  const thresholds: Record<string, string[]> = {
    [goodInWindow('http_req_duration')]: [`p(95)<${limits.p95Ms}`],
    [inWindow('http_req_failed')]: [`rate<${limits.failedRate}`],
    [inWindow('checks')]: [`rate>${limits.checksRate}`],
    [inWindow('http_reqs')]: [...always.counter],
    [inWindow('data_received')]: [...always.counter],
    [inWindow('data_sent')]: [...always.counter],
  };
  for (const phase of phases) thresholds[goodInWindow(`http_req_${phase}`)] = [...always.trend];
  return {
    scenarios: { [scenarioName]: scenarioByExecutor[settings.executor](settings) },
    thresholds,
    discardResponseBodies: settings.check === 'none',
    // A redirect is a wrong answer, not a detour.
    maxRedirects: 0,
    summaryTrendStats: ['count', 'avg', 'min', 'med', 'p(50)', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)', 'max'],
  };
}
