/**
 * The pipeline, one line a stage: study → plan → environment → parity → load + samples → summaries → verdicts → comparisons →
 * result set → report. This file and its folder run/ are the only ones that import the stages.
 */
import { join, resolve } from 'node:path';
import { readContract, readThresholds } from './contract/read.ts';
import { repositoryRoot } from './contract/root.ts';
import { startEnvironment } from './environment/index.ts';
import { openGenerator } from './load/index.ts';
import type { Environment } from './model/environment.ts';
import { LabError, messageOf } from './model/errors.ts';
import type { LabEvent } from './model/events.ts';
import type { Generator } from './model/generator.ts';
import type { SliceRecord, WarmUpRecord } from './model/measurement.ts';
import type { ResultHeader, ResultSet } from './model/result.ts';
import { primeCache } from './parity/index.ts';
import { createResultFolder, openStore, readBuiltinRaws, readResultSet, type ResultStore } from './results/index.ts';
import { analyse, type Measured } from './run/analyse.ts';
import { readInputs, variantsWithStacks, type BenchOptions, type Inputs } from './run/inputs.ts';
import { eventLog } from './run/log.ts';
import { measureAll } from './run/measure.ts';
import { checkParity, type ReferenceBodies } from './run/parity.ts';
import { loadAverageNow, provenanceOf } from './run/provenance.ts';
import { writeReport } from './run/write-report.ts';
import { observe } from './sampling/index.ts';

export { readInputs, type BenchOptions, type Inputs } from './run/inputs.ts';
export { startByHand } from './run/by-hand.ts';
export { showReport } from './run/write-report.ts';

/** How a study ended. `error`: what ended it early; everything measured until then is in `resultSet`. */
export interface BenchOutcome {
  readonly folder: string;
  readonly resultSet: ResultSet;
  readonly error: LabError | null;
}

/** Where events go: the progress line, beside the log. */
export type Listener = (event: LabEvent) => void;

/**
 * Executes a study and saves its result set.
 * @throws LabError for what fails before the first run could be saved; later failures are in the outcome.
 */
export async function bench(options: BenchOptions, listener: Listener, signal: AbortSignal): Promise<BenchOutcome> {
  const startedAt = new Date();
  const loadAverage = loadAverageNow();
  const inputs = await readInputs(options);
  const { plan } = inputs;
  const resultsDir = options.out === undefined ? join(repositoryRoot, 'results') : resolve(options.out);
  const folder = await createResultFolder(resultsDir, plan.study.id, startedAt);
  const log = eventLog(join(folder, 'logs', 'lab.log'));
  const emit: Listener = (event) => {
    log(event);
    listener(event);
  };
  const { environment, chosen } = await startEnvironment(options.env, {
    contract: inputs.contract,
    contractDir: inputs.contractDir,
    variants: variantsWithStacks(plan.study.variants, inputs.stacks),
    report: (line) => {
      emit({ kind: 'environment', line });
    },
    logDir: join(folder, 'logs'),
    signal,
  });
  try {
    const { generator, chosen: generatorChosen } = await openGenerator(inputs.wantedGenerator);
    emit({ kind: 'environment', line: `generator: ${generator.name} ${generator.version}: ${generatorChosen}` });
    try {
      const parity = await checkParity(inputs, environment, emit);
      const provenance = await provenanceOf({
        root: repositoryRoot,
        commandLine: options.commandLine,
        startedAt,
        environment,
        environmentChosen: chosen,
        generator,
        generatorChosen,
        check: plan.check,
        contractSha256: inputs.contractSha256,
        loadAverage,
      });
      const id = folder.slice(resultsDir.length + 1);
      const header: ResultHeader = { schemaVersion: 1, id, provenance, plan, parity: parity.results };
      const store = await openStore(folder, header);
      const parts = { inputs, environment, generator, store, header, bodies: parity.bodies };
      return await measureAndFinish(parts, emit, signal);
    } finally {
      await generator.close();
    }
  } finally {
    await environment.stop();
  }
}

interface Parts {
  readonly inputs: Inputs;
  readonly environment: Environment;
  readonly generator: Generator;
  readonly store: ResultStore;
  readonly header: ResultHeader;
  readonly bodies: ReferenceBodies;
}

/** From here on nothing that is measured is lost: whatever ends the loop, the set is summarised, marked and saved. */
async function measureAndFinish(parts: Parts, emit: Listener, userSignal: AbortSignal): Promise<BenchOutcome> {
  const { inputs, environment, generator, store, header } = parts;
  const slices: SliceRecord[] = [];
  const warmUps: WarmUpRecord[] = [];
  const error = await caught(() =>
    measureAll({
      contract: inputs.contract,
      thresholds: inputs.thresholds,
      plan: inputs.plan,
      environment,
      generator,
      referenceBodies: parts.bodies,
      rawDir: join(store.folder, 'raw'),
      signal: AbortSignal.any([userSignal, environment.failed]),
      emit,
      save: {
        slice: async (record) => {
          slices.push(record);
          await store.appendSlice(record);
        },
        warmUp: async (record) => {
          warmUps.push(record);
          await store.appendWarmUp(record);
        },
      },
      primeCache: (endpoint, variant) =>
        primeCache(endpoint, { variant, baseUrl: environment.baseUrl(variant) }, (key) =>
          environment.deleteCacheKey(key),
        ),
      observe,
    }),
  );
  const { contract, thresholds } = inputs;
  const endedEarly = error?.message ?? null;
  const resultSet = await analyse({
    ...measuredIn(store.folder),
    header,
    contract,
    thresholds,
    slices,
    warmUps,
    endedEarly,
  });
  await store.finish(resultSet);
  await writeReport(store.folder, resultSet);
  emit({ kind: 'saved', folder: store.folder, status: resultSet.status });
  return { folder: store.folder, resultSet, error };
}

function measuredIn(folder: string): Pick<Measured, 'finishedAt' | 'readRaws'> {
  return { finishedAt: new Date(), readRaws: (raws) => readBuiltinRaws(folder, raws) };
}

/** What ended the work, as a LabError; null when nothing did. */
async function caught(work: () => Promise<void>): Promise<LabError | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof LabError) return error;
    const hint = 'this is a defect in loadlab: please report it with the log of the result set';
    return new LabError('INTERNAL', messageOf(error), hint, { cause: error });
  }
}

/**
 * Reads a result set again; one whose lab was killed is summarised now, as partial.
 * @throws LabError NO_RESULT_SET or BAD_RESULT_SET.
 */
export async function review(pathOrId: string | undefined): Promise<{ folder: string; resultSet: ResultSet }> {
  const stored = await readResultSet(join(repositoryRoot, 'results'), pathOrId);
  if (stored.kind === 'finished') return stored;
  const contractDir = join(repositoryRoot, 'contract');
  const resultSet = await analyse({
    ...measuredIn(stored.folder),
    header: stored.header,
    contract: await readContract(contractDir),
    thresholds: await readThresholds(contractDir),
    slices: stored.slices,
    warmUps: stored.warmUps,
    endedEarly: `the lab ended without finishing the set, or is still at work${stored.tornLine === null ? '' : `; ${stored.tornLine}`}`,
  });
  return { folder: stored.folder, resultSet };
}
