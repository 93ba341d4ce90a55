import type { Environment } from '../../lab/model/environment.ts';
import { LabError } from '../../lab/model/errors.ts';
import type { Generator, RunRequest } from '../../lab/model/generator.ts';
import type { Measurement } from '../../lab/model/measurement.ts';
import { observe } from '../../lab/sampling/index.ts';
import type { Target } from './gate.ts';
import type { Options } from './options.ts';
import type { Pair } from './pairs.ts';

/** What one side did in one run. */
export interface Side {
  readonly requestsPerSecond: number;
  /** Of the whole run. */
  readonly requests: number;
  /** The server process's own, of the whole run; null where it cannot be read. */
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

/**
 * A round's time in 16 slices that take turns, AB BA AB BA …: the speed of a shared machine may double within a second, which
 * two long runs would take for a difference between the servers. (Measured with a loop of fixed work on such a machine: two
 * neighbouring seconds differ by 14 % as a rule, the same time in slices of 125 ms by 3.5 %.)
 */
const turns = Array.from({ length: 4 }, () => [true, false, false, true]).flat();

async function runBoth(context: Context, { pair, target, vus, seconds, apiFirst }: Round): Promise<PairedRun> {
  const api: Side[] = [];
  const twin: Side[] = [];
  for (const isFirst of turns) {
    const isApi = isFirst === apiFirst;
    const { variant } = isApi ? pair.api : pair.twin;
    const sliceMs = (seconds * 1000 * 2) / turns.length;
    (isApi ? api : twin).push(await run(context, requestFor(context, variant.id, target, vus, sliceMs)));
  }
  return { stack: pair.title, path: target.endpoint.path, vus, api: together(api), twin: together(twin) };
}

/** Slices of one length as one run. */
function together(slices: readonly Side[]): Side {
  const sum = (of: (side: Side) => number): number => slices.reduce((total, side) => total + of(side), 0);
  return {
    requestsPerSecond: sum((side) => side.requestsPerSecond) / slices.length,
    requests: sum((side) => side.requests),
    cpuMs: slices.some(({ cpuMs }) => cpuMs === null) ? null : sum(({ cpuMs }) => cpuMs ?? 0),
  };
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

async function run({ environment, generator, signal }: Context, request: RunRequest): Promise<Side> {
  const component = `api:${request.stack}`;
  const { [component]: server } = environment.components();
  const observation = observe(server === undefined ? {} : { [component]: server });
  const { measurement } = await generator.run(request, signal);
  const cpu = observation.end().components[component];
  assertGood(request, measurement);
  const [user, system] = [cpu?.cpuUserMs ?? null, cpu?.cpuSystemMs ?? null];
  return {
    requestsPerSecond: measurement.requestsPerSecond,
    requests: measurement.requests + measurement.requestsOutsideWindow,
    cpuMs: user === null || system === null ? null : user + system,
  };
}

/** A rate of requests that failed, or whose body differed, is no rate. */
function assertGood({ stack, endpoint }: RunRequest, measurement: Measurement): void {
  const failedChecks = Object.values(measurement.checks).reduce((total, { failed }) => total + failed, 0);
  if (measurement.requests > 0 && measurement.failedRequests === 0 && failedChecks === 0) return;
  const [error] = Object.keys(measurement.errors);
  const why = error ?? measurement.failedCheckExamples[0] ?? 'no requests';
  throw new LabError(
    'GENERATOR_FAILED',
    `${stack}${endpoint.path}: not every answer was good: ${why}`,
    'Run it again.',
  );
}
