/**
 * The pipeline, one line a stage: study → plan → environment → parity → load + samples → summaries → verdicts → comparisons →
 * result set → report. This file and its folder run/ are the only ones that import the stages.
 */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { repositoryRoot } from './contract/root.ts';
import { openGenerator } from './load/index.ts';
import type { Environment } from './model/environment.ts';
import { exitCodes, LabError } from './model/errors.ts';
import type { LabEvent } from './model/events.ts';
import type { Generator } from './model/generator.ts';
import type { SliceRecord, WarmUpRecord } from './model/measurement.ts';
import type { ResultHeader, ResultSet } from './model/result.ts';
import { primeCache } from './parity/index.ts';
import { createResultFolder, openStore, type ResultStore } from './results/index.ts';
import { analyse } from './run/analyse.ts';
import { caught } from './run/caught.ts';
import { chooseWhere } from './run/choose-where.ts';
import { cleanly } from './run/cleanly.ts';
import { variantsWithStacks, type BenchOptions, type Inputs } from './run/inputs.ts';
import { openLog, type Log } from './run/log.ts';
import { measureAll } from './run/measure.ts';
import { checkParity, type ReferenceBodies } from './run/parity.ts';
import { loadAverageNow, provenanceOf } from './run/provenance.ts';
import { refuseLargePools } from './run/refuse-large-pools.ts';
import { measuredIn } from './run/review.ts';
import { untilAborted } from './run/until-aborted.ts';
import { writeReport } from './run/write-report.ts';
import { observe } from './sampling/index.ts';

export { readInputs, type BenchOptions, type Inputs } from './run/inputs.ts';
export { startByHand } from './run/by-hand.ts';
export { upInContainers } from './run/up-in-containers.ts';
export { chooseOwnEnvironment, type OwnEnvironmentName, type RemoteOptions } from './environment/index.ts';
export { compareSets } from './run/compare.ts';
export { review } from './run/review.ts';
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
export async function bench(
  inputs: Inputs,
  options: Pick<BenchOptions, 'env' | 'keep' | 'out' | 'commandLine'>,
  listener: Listener,
  signal: AbortSignal,
): Promise<BenchOutcome> {
  const startedAt = new Date();
  const resultsDir = options.out === undefined ? join(repositoryRoot, 'results') : resolve(options.out);
  const folder = await createResultFolder(resultsDir, inputs.plan.study.id, startedAt);
  const log = openLog(join(folder, 'logs', 'lab.log'));
  const emit: Listener = (event) => {
    log.event(event);
    listener(event);
  };
  try {
    return await inEnvironment({ inputs, options, folder, startedAt, log, emit, signal });
  } catch (error) {
    await dropEmptySet(folder, error);
    throw error;
  }
}

interface Session {
  readonly inputs: Inputs;
  readonly options: Pick<BenchOptions, 'env' | 'keep' | 'commandLine'>;
  readonly folder: string;
  readonly startedAt: Date;
  readonly log: Log;
  readonly emit: Listener;
  readonly signal: AbortSignal;
}

async function inEnvironment(session: Session): Promise<BenchOutcome> {
  const { inputs, folder, emit, signal } = session;
  const { plan } = inputs;
  const warn = (line: string): void => {
    emit({ kind: 'warning', line });
  };
  const loadAverage = loadAverageNow();
  const report = (line: string): void => {
    emit({ kind: 'environment', line });
  };
  const { site, generatorChoice } = await chooseWhere(inputs, session.options, report, signal);
  const { name, chosen: generatorChosen } = generatorChoice;
  const environment = await site.start({
    contract: inputs.contract,
    contractDir: inputs.contractDir,
    variants: variantsWithStacks(plan.study.variants, inputs.stacks),
    generator: name,
    keep: session.options.keep === true,
    report,
    logDir: join(folder, 'logs'),
    signal,
  });
  return cleanly(
    async () => {
      const ended = AbortSignal.any([signal, environment.failed]);
      const generator = await untilAborted(openGenerator(name, environment.generatorPlace), ended);
      return cleanly(
        async () => {
          emit({ kind: 'environment', line: `generator: ${generator.name} ${generator.version}: ${generatorChosen}` });
          const parity = await checkParity(inputs, environment, emit, ended);
          const facts = { environment, site, generator, generatorChosen, loadAverage };
          const { check } = plan;
          const { startedAt, options } = session;
          const { commandLine } = options;
          const { contractSha256 } = inputs;
          const root = repositoryRoot;
          const provenance = await untilAborted(
            provenanceOf({ ...facts, root, check, startedAt, commandLine, contractSha256 }),
            ended,
          );
          refuseLargePools(provenance.environment.servers);
          const id = basename(folder);
          const header: ResultHeader = { schemaVersion: 1, id, provenance, plan, parity: parity.results };
          const store = await openStore(folder, header);
          return measureAndFinish({ ...session, environment, generator, store, header, bodies: parity.bodies }, ended);
        },
        () => generator.close(),
        warn,
      );
    },
    () => environment.stop(),
    warn,
  );
}

/** A set that never began is no set; its folder stays only for the logs of a server that failed. */
async function dropEmptySet(folder: string, error: unknown): Promise<void> {
  const logsExplain = error instanceof LabError && error.exitCode === exitCodes.environment;
  if (logsExplain || existsSync(join(folder, 'header.json'))) return;
  await rm(folder, { recursive: true, force: true });
}

interface Parts extends Session {
  readonly environment: Environment;
  readonly generator: Generator;
  readonly store: ResultStore;
  readonly header: ResultHeader;
  readonly bodies: ReferenceBodies;
}

/** From here on nothing that is measured is lost: whatever ends the loop, the set is summarised, marked and saved. */
async function measureAndFinish(parts: Parts, signal: AbortSignal): Promise<BenchOutcome> {
  const { inputs, environment, generator, store, header, emit, log } = parts;
  const slices: SliceRecord[] = [];
  const warmUps: WarmUpRecord[] = [];
  const error = await caught(() =>
    measureAll({
      contract: inputs.contract,
      plan: inputs.plan,
      environment,
      generator,
      referenceBodies: parts.bodies,
      rawDir: join(store.folder, 'raw'),
      signal,
      keepOutput: (heading, lines) => {
        log.output(heading, lines);
      },
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
  // Nothing was measured, and nobody wants a page of n/a: the next review shows the set before.
  if (slices.length === 0 && error?.exitCode === exitCodes.interrupted) {
    await store.close();
    // Without its header it is an empty set, and goes once the environment, whose logs are in it, has stopped.
    await rm(join(store.folder, 'header.json'));
    throw error;
  }
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
