import type { Contract, Endpoint } from '../../lab/model/contract.ts';
import type { Environment } from '../../lab/model/environment.ts';
import { LabError } from '../../lab/model/errors.ts';
import type { Generator, RunRequest } from '../../lab/model/generator.ts';
import { parityGate, primeCache } from '../../lab/parity/index.ts';
import { observe } from '../../lab/sampling/index.ts';
import { joined, turnOrder, type LoadSample } from '../load-sample.ts';

/** An environment and the generator beside its servers. */
export interface Side {
  readonly environment: Environment;
  readonly generator: Generator;
}

export interface Context {
  readonly native: Side;
  readonly compose: Side;
  readonly contract: Contract;
  readonly rawDir: string;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

export interface Work {
  readonly variants: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly vus: readonly number[];
}

/** One variant, endpoint and load in both environments, in turn. */
export interface Round {
  readonly variant: string;
  readonly path: string;
  readonly vus: number;
  readonly native: LoadSample;
  readonly compose: LoadSample;
}

const roundsPerGeneration = 2;
const turnMs = 250;
const warmUp = { minDurationMs: 1500, minRequests: 5000 };
const warmUpLimitMs = 8_000;

/**
 * Makes all rounds; every generation has new processes and containers, warmed up at the largest load.
 * @throws the reason of the context's signal; a LabError ENVIRONMENT_FAILED where the two do not answer alike, GENERATOR_FAILED
 *   when not every answer was good
 */
export async function* measure(context: Context, work: Work): AsyncGenerator<Round> {
  const { native, compose, contract, report } = context;
  const bodies = await provenEqual(context, work.variants);
  const generations = work.rounds / roundsPerGeneration;
  for (let generation = 1; generation <= generations; generation += 1) {
    report(`generation ${generation} of ${generations}`);
    if (generation > 1) await Promise.all([native, compose].map(({ environment }) => environment.restartApis()));
    for (const endpoint of contract.endpoints) {
      const body = bodies.get(endpoint.id) ?? new Uint8Array();
      for (const variant of work.variants) {
        for (const side of [native, compose]) {
          await prime(side, endpoint, variant);
          const request = requestFor(context, side, { endpoint, body, variant, vus: Math.max(...work.vus) });
          await run(context, side, { ...request, durationMs: warmUpLimitMs, stopWhen: warmUp });
        }
        for (const vus of work.vus) {
          for (let round = 0; round < roundsPerGeneration; round += 1) {
            yield await runBoth(context, { endpoint, body, variant, vus }, work.seconds);
          }
        }
      }
    }
  }
}

/** Same work or no race: the bodies that every answer under load must have, by endpoint. */
async function provenEqual(
  { native, compose, contract }: Context,
  variants: readonly string[],
): Promise<Map<string, Uint8Array>> {
  const bodies = new Map<string, Uint8Array>();
  for (const endpoint of contract.endpoints) {
    const servers = [native, compose].flatMap(({ environment }) =>
      variants.map((variant) => ({
        variant: `${environment.name} ${variant}`,
        baseUrl: environment.baseUrl(variant),
      })),
    );
    const forget = async (key: string): Promise<void> => {
      await Promise.all([native, compose].map(({ environment }) => environment.deleteCacheKey(key)));
    };
    const { result, referenceBody } = await parityGate(endpoint, servers, forget);
    if (referenceBody === null) {
      const what = `${endpoint.path} differs: ${result.difference ?? 'no reason given'}`;
      throw new LabError('ENVIRONMENT_FAILED', what, 'Both environments must answer the same; nothing was loaded.');
    }
    bodies.set(endpoint.id, referenceBody);
  }
  return bodies;
}

interface Cell {
  readonly endpoint: Endpoint;
  readonly body: Uint8Array;
  readonly variant: string;
  readonly vus: number;
}

async function runBoth(context: Context, cell: Cell, seconds: number): Promise<Round> {
  const native: LoadSample[] = [];
  const compose: LoadSample[] = [];
  for (const side of [context.native, context.compose]) await prime(side, cell.endpoint, cell.variant);
  for (const isNative of turnOrder((seconds * 1000) / turnMs)) {
    const side = isNative ? context.native : context.compose;
    (isNative ? native : compose).push(await run(context, side, requestFor(context, side, cell)));
  }
  const { endpoint, variant, vus } = cell;
  return { variant, path: endpoint.path, vus, native: joined(native), compose: joined(compose) };
}

/** The cached endpoint is measured with its cache filled by the API itself, as in a study. */
async function prime({ environment }: Side, endpoint: Endpoint, variant: string): Promise<void> {
  const target = { variant, baseUrl: environment.baseUrl(variant) };
  const wrong = await primeCache(endpoint, target, (key) => environment.deleteCacheKey(key));
  if (wrong !== null) throw new LabError('ENVIRONMENT_FAILED', wrong, 'Is the cache there?');
}

function requestFor({ rawDir }: Context, { environment }: Side, { endpoint, body, variant, vus }: Cell): RunRequest {
  return {
    id: `bench-${environment.name}`,
    baseUrl: environment.loadUrl(variant),
    stack: variant,
    endpoint,
    load: { executor: 'constant-vus', vus },
    durationMs: turnMs,
    check: 'bytes',
    referenceBody: body,
    expectedCache: endpoint.cache === undefined ? null : 'HIT',
    rawDir,
  };
}

async function run({ signal }: Context, { environment, generator }: Side, request: RunRequest): Promise<LoadSample> {
  const component = `api:${request.stack}`;
  const { [component]: server } = environment.components();
  const observation = await observe(server === undefined ? {} : { [component]: server });
  const { measurement } = await generator.run(request, signal);
  const cpu = (await observation.end()).components[component];
  const failedChecks = Object.values(measurement.checks).reduce((total, { failed }) => total + failed, 0);
  if (measurement.failedRequests + failedChecks > 0) {
    const [error] = Object.keys(measurement.errors);
    const why = error ?? measurement.failedCheckExamples[0] ?? 'failed checks';
    throw new LabError('GENERATOR_FAILED', `${request.baseUrl}: not every answer was good: ${why}`, 'Run it again.');
  }
  const [user, system] = [cpu?.cpuUserMs ?? null, cpu?.cpuSystemMs ?? null];
  return {
    requestsInWindow: measurement.requests,
    windowMs: measurement.windowMs,
    requests: measurement.requests + measurement.requestsOutsideWindow,
    cpuMicros: user === null || system === null ? null : (user + system) * 1000,
  };
}
