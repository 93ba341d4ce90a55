import type { Environment } from '../../lab/model/environment.ts';
import { LabError } from '../../lab/model/errors.ts';
import type { Generator, RunRequest } from '../../lab/model/generator.ts';
import type { Measurement } from '../../lab/model/measurement.ts';
import { observe } from '../../lab/sampling/index.ts';
import { joined, requestsPerSecond, turnOrder, type LoadSample } from '../load-sample.ts';
import type { Target } from './gate.ts';
import type { Options } from './options.ts';
import type { Pair } from './pairs.ts';

/** What one side did in one round. */
export interface Side {
  readonly requestsPerSecond: number;
  /** All requests of its runs. */
  readonly requests: number;
  /** The server process's own over these, connections included; null where it cannot be read. */
  readonly cpuMs: number | null;
}

/** Both sides, in turn. */
export interface PairedRun {
  readonly stack: string;
  readonly path: string;
  readonly vus: number;
  readonly api: Side;
  readonly twin: Side;
}

export interface Context {
  readonly environment: Environment;
  readonly generator: Generator;
  readonly rawDir: string;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

export interface Work extends Pick<Options, 'rounds' | 'seconds' | 'vus'> {
  readonly pairs: readonly Pair[];
  readonly targets: readonly Target[];
}

/** A generation's rounds: an order and its reverse, so that a drift of the machine favours neither side. */
const roundsPerGeneration = 2;
/** By requests, not by time: a compiler that optimises what runs often is slow to do so on a busy machine. */
const warmUp = { minDurationMs: 1500, minRequests: 5000 };
const warmUpLimitMs = 20_000;

/**
 * Makes all rounds. Every generation has new processes, warmed up at the largest load: two processes of one program differ
 * by more than the rounds within one.
 * @throws the reason of the context's signal, or a LabError GENERATOR_FAILED when not every answer was good
 */
export async function* measure(context: Context, work: Work): AsyncGenerator<PairedRun> {
  const generations = work.rounds / roundsPerGeneration;
  for (let generation = 1; generation <= generations; generation += 1) {
    context.report(`generation ${generation} of ${generations}`);
    if (generation > 1) await context.environment.restartApis();
    await warmUpAll(context, work);
    for (const target of work.targets) {
      for (const vus of work.vus) {
        for (const pair of work.pairs) {
          // Generations take turns in who begins: AB BA, then BA AB.
          const apiFirst = generation % 2 === 1;
          yield await runBoth(context, { pair, target, vus, seconds: work.seconds, apiFirst });
          yield await runBoth(context, { pair, target, vus, seconds: work.seconds, apiFirst: !apiFirst });
        }
      }
    }
  }
}

async function warmUpAll(context: Context, { pairs, targets, vus }: Work): Promise<void> {
  for (const target of targets) {
    for (const server of pairs.flatMap(({ api, twin }) => [api, twin])) {
      const request = requestFor(context, server.variant.id, target, Math.max(...vus), warmUpLimitMs);
      await run(context, { ...request, stopWhen: warmUp });
    }
  }
}

interface Round {
  readonly pair: Pair;
  readonly target: Target;
  readonly vus: number;
  readonly seconds: number;
  readonly apiFirst: boolean;
}

/** How long a side runs before it is the other's turn. */
const turnMs = 125;

async function runBoth(context: Context, { pair, target, vus, seconds, apiFirst }: Round): Promise<PairedRun> {
  const api: LoadSample[] = [];
  const twin: LoadSample[] = [];
  for (const isFirst of turnOrder((seconds * 1000) / turnMs)) {
    const isApi = isFirst === apiFirst;
    const { variant } = isApi ? pair.api : pair.twin;
    (isApi ? api : twin).push(await run(context, requestFor(context, variant.id, target, vus, turnMs)));
  }
  const { path } = target.endpoint;
  return { stack: pair.title, path, vus, api: sideOf(pair.api, path, api), twin: sideOf(pair.twin, path, twin) };
}

/** @throws LabError GENERATOR_FAILED when a round yielded no request at all. */
function sideOf({ variant }: Pair['api'], path: string, samples: readonly LoadSample[]): Side {
  const all = joined(samples);
  if (all.requestsInWindow === 0) throw notGood(variant.id, path, 'no requests');
  const cpuMs = all.cpuMicros === null ? null : all.cpuMicros / 1000;
  return { requestsPerSecond: requestsPerSecond(all), requests: all.requests, cpuMs };
}

function requestFor(
  { environment, rawDir }: Context,
  variant: string,
  { endpoint, body }: Target,
  vus: number,
  durationMs: number,
): RunRequest {
  return {
    id: 'bench-apis',
    baseUrl: environment.baseUrl(variant),
    stack: variant,
    endpoint,
    load: { executor: 'constant-vus', vus },
    durationMs,
    check: 'bytes',
    referenceBody: body,
    expectedCache: null,
    rawDir,
  };
}

async function run({ environment, generator, signal }: Context, request: RunRequest): Promise<LoadSample> {
  const component = `api:${request.stack}`;
  const { [component]: server } = environment.components();
  const observation = await observe(server === undefined ? {} : { [component]: server });
  const { measurement } = await generator.run(request, signal);
  const cpu = (await observation.end()).components[component];
  assertGood(request, measurement);
  const [user, system] = [cpu?.cpuUserMs ?? null, cpu?.cpuSystemMs ?? null];
  return {
    requestsInWindow: measurement.requests,
    windowMs: measurement.windowMs,
    requests: measurement.requests + measurement.requestsOutsideWindow,
    cpuMicros: user === null || system === null ? null : (user + system) * 1000,
  };
}

/** A rate of requests that failed, or whose body differed, is no rate. */
function assertGood({ stack, endpoint }: RunRequest, measurement: Measurement): void {
  const failedChecks = Object.values(measurement.checks).reduce((total, { failed }) => total + failed, 0);
  if (measurement.failedRequests === 0 && failedChecks === 0) return;
  const [error] = Object.keys(measurement.errors);
  throw notGood(stack, endpoint.path, error ?? measurement.failedCheckExamples[0] ?? 'failed checks');
}

function notGood(stack: string, path: string, why: string): LabError {
  return new LabError('GENERATOR_FAILED', `${stack}${path}: not every answer was good: ${why}`, 'Run it again.');
}
