import type { Contract, Endpoint } from '../model/contract.ts';
import type { ComponentHandle, Environment } from '../model/environment.ts';
import { LabError } from '../model/errors.ts';
import type { LabEvent } from '../model/events.ts';
import type { Generator, GeneratorRun, RunRequest } from '../model/generator.ts';
import type { Sample, SliceRecord, WarmUpRecord, WorkDone } from '../model/measurement.ts';
import type { Cell, Plan, Slice, WarmUp } from '../model/plan.ts';
import { History, type RunEnd } from './history.ts';
import { untilAborted } from './until-aborted.ts';

/** What the loop over the plan works with: the stages' functions and the parts that are running. */
export interface MeasureContext {
  readonly contract: Contract;
  readonly plan: Plan;
  readonly environment: Environment;
  readonly generator: Generator;
  /** Endpoints that passed the parity gate, with their reference bodies; the others are not loaded. */
  readonly referenceBodies: ReadonlyMap<string, Uint8Array>;
  readonly rawDir: string;
  /** Aborted by the user or by a server's death; its reason is a LabError. */
  readonly signal: AbortSignal;
  readonly emit: (event: LabEvent) => void;
  readonly save: {
    slice(record: SliceRecord): Promise<void>;
    warmUp(record: WarmUpRecord): Promise<void>;
  };
  /** Empties the cache and fills it through this stack; null, or what was wrong. */
  readonly primeCache: (endpoint: Endpoint, variant: string) => Promise<string | null>;
  /** Keeps a failed generator's own words. */
  readonly keepOutput: (heading: string, lines: readonly string[]) => void;
  readonly observe: (components: Readonly<Record<string, ComponentHandle>>) => Promise<Observation>;
}

/** CPU and memory from one moment to another. */
export interface Observation {
  /** The sample from the moment observe() was ready until now. */
  end(): Promise<Sample>;
}

/** Runs every generation of the plan. @throws the reason of `signal`, or a LabError of a stage; what was measured is saved. */
export async function measureAll(context: MeasureContext): Promise<void> {
  const history = new History(context.generator);
  context.signal.throwIfAborted();
  for (const generation of context.plan.generations) {
    // The first generation's processes have just been started, for the parity gate: they have served a handful of requests.
    if (generation.number > 1) await restart(context, generation.number);
    for (const warmUp of generation.warmUps) history.note(await runWarmUp(context, warmUp, history.endedWithCut));
    for (const slice of generation.slices) history.note(await runSlice(context, slice, history.endedWithCut));
  }
}

async function restart({ environment, emit, signal }: MeasureContext, generation: number): Promise<void> {
  signal.throwIfAborted();
  emit({ kind: 'restart-started', generation });
  await untilAborted(environment.restartApis(), signal);
  emit({ kind: 'restart-ended', generation });
}

async function runWarmUp(context: MeasureContext, warmUp: WarmUp, afterCut: boolean): Promise<RunEnd> {
  const endpoint = loadedEndpoint(context, warmUp.cell);
  if (endpoint === null) return null;
  context.emit({ kind: 'warm-up-started', warmUp });
  const { minDurationMs, minRequests, maxDurationMs } = context.plan.warmUpLimits;
  const request = {
    ...requestFor(context, warmUp.id, warmUp.cell, endpoint),
    durationMs: maxDurationMs,
    stopWhen: { minDurationMs, minRequests },
  };
  const outcome = await attempt(context, endpoint, request, afterCut);
  const measurement = outcome.run?.measurement ?? null;
  const finished = measurement !== null && measurement.requests >= minRequests && measurement.windowMs >= minDurationMs;
  const record: WarmUpRecord = { warmUp, finished, measurement, failure: outcome.failure };
  await context.save.warmUp(record);
  context.emit({ kind: 'warm-up-ended', record });
  return record;
}

async function runSlice(context: MeasureContext, slice: Slice, afterCut: boolean): Promise<RunEnd> {
  const endpoint = loadedEndpoint(context, slice.cell);
  if (endpoint === null) return null;
  context.emit({ kind: 'slice-started', slice });
  const request = { ...requestFor(context, slice.id, slice.cell, endpoint), durationMs: slice.durationMs };
  const outcome = await attempt(context, endpoint, request, afterCut);
  const record: SliceRecord = {
    slice,
    measurement: outcome.run?.measurement ?? null,
    failure: outcome.failure,
    sample: outcome.sample,
    work: outcome.work,
  };
  await context.save.slice(record);
  context.emit({ kind: 'slice-ended', record });
  return record;
}

/** The cell's endpoint, or null when the parity gate did not let it through. */
function loadedEndpoint(context: MeasureContext, cell: Cell): Endpoint | null {
  if (!context.referenceBodies.has(cell.endpoint)) return null;
  return context.contract.endpoints.find((endpoint) => endpoint.id === cell.endpoint) ?? null;
}

function requestFor(
  context: MeasureContext,
  id: string,
  cell: Cell,
  endpoint: Endpoint,
): Omit<RunRequest, 'durationMs'> {
  return {
    id,
    baseUrl: context.environment.loadUrl(cell.variant),
    stack: cell.variant,
    endpoint,
    load: cell.load,
    check: context.plan.check,
    referenceBody: context.referenceBodies.get(endpoint.id) ?? new Uint8Array(),
    expectedCache: endpoint.cache === undefined ? null : 'HIT',
    rawDir: context.rawDir,
    endWithLab: (pid, folder) => context.environment.endWithLab(pid, folder),
  };
}

interface Outcome {
  readonly run: GeneratorRun | null;
  readonly failure: SliceRecord['failure'];
  readonly sample: Sample | null;
  readonly work: WorkDone | null;
}

/**
 * One run with everything that is read around it. A generator's failure becomes the record's failure, so that the study goes on;
 * an interruption or a server's death ends it.
 */
async function attempt(
  context: MeasureContext,
  endpoint: Endpoint,
  request: RunRequest,
  afterCut: boolean,
): Promise<Outcome> {
  const { environment, generator, signal } = context;
  signal.throwIfAborted();
  // First of all: a request that was cut off could fill the cache after its key was deleted.
  await untilAborted(environment.settle(afterCut), signal);
  const unprimed = await untilAborted(context.primeCache(endpoint, request.stack), signal);
  if (unprimed !== null) return failed('CACHE_NOT_PRIMED', unprimed);
  const workBefore = await untilAborted(environment.workCounters(), signal);
  const observation = await untilAborted(context.observe(componentsOf(environment, generator)), signal);
  try {
    const run = await generator.run(request, signal);
    const sample = withGeneratorCpu(await untilAborted(observation.end(), signal), run);
    const work = differenceOf(workBefore, await untilAborted(environment.workCounters(), signal));
    return { run, failure: null, sample, work };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof LabError) || error.code !== 'GENERATOR_FAILED') throw error;
    context.keepOutput(`output of the generator in ${request.id}`, error.logTail);
    return failed(error.code, error.message);
  }
}

function failed(code: string, message: string): Outcome {
  return { run: null, failure: { code, message }, sample: null, work: null };
}

function componentsOf(environment: Environment, generator: Generator): Record<string, ComponentHandle> {
  const pid = generator.pid();
  return {
    ...environment.components(),
    ...(pid === null ? {} : { generator: { kind: 'process', pid } }),
    lab: { kind: 'process', pid: process.pid },
  };
}

/** A generator that ends with its run tells its own CPU; one that lives on was sampled with the others. */
function withGeneratorCpu(sample: Sample, { cpu }: GeneratorRun): Sample {
  if (cpu === null) return sample;
  const generator = {
    cpuUserMs: cpu.userMs,
    cpuSystemMs: cpu.systemMs,
    residentBytes: cpu.peakResidentBytes,
    reason: null,
  };
  return { ...sample, components: { ...sample.components, generator } };
}

function differenceOf(before: WorkDone, after: WorkDone): WorkDone {
  const minus = (a: number | null, b: number | null | undefined): number | null =>
    a === null || b === null || b === undefined ? null : a - b;
  return {
    keyspaceHits: minus(after.keyspaceHits, before.keyspaceHits),
    keyspaceMisses: minus(after.keyspaceMisses, before.keyspaceMisses),
    queryCalls: Object.fromEntries(
      Object.entries(after.queryCalls).map(([file, calls]) => [file, minus(calls, before.queryCalls[file])]),
    ),
  };
}
