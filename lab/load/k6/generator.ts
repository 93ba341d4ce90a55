import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { repositoryRoot } from '../../contract/root.ts';
import type { GeneratorPlace } from '../../model/environment.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import type { Generator, GeneratorRun, RunRequest } from '../../model/generator.ts';
import { commandLine } from './command.ts';
import { findK6, type K6Binary } from './find.ts';
import { toMeasurement } from './measurement.ts';
import { type K6Exit, runK6 } from './process.ts';
import { siteHere, siteIn } from './site.ts';
import { readSummary } from './summary.ts';

export interface K6GeneratorOptions {
  /** Name or path of k6; found on PATH by default. */
  readonly binary?: string;
  /** Folder of the scenarios; the clone's own by default. */
  readonly scenariosDir?: string;
  /** contract/, as the scenarios read it; the clone's own by default. */
  readonly contractDir?: string;
  /** Where k6 runs when that is not this machine itself: scenarios and contract are then that place's. */
  readonly place?: GeneratorPlace | null;
}

/** https://grafana.com/docs/k6/latest/misc/error-codes/ calls these the exit codes of a run that was made. */
const exitCodes = { ok: 0, thresholdsCrossed: 99, scriptException: 107, scriptAborted: 108, last: 124 } as const;

/** k6 refuses a shorter duration. */
export const shortestMs = 1000;

/** For start, VUs, and summary, beside the duration itself. */
const overheadMs = 60_000;

/** Makes the k6 generator. Throws a LabError TOOL_MISSING or TOOL_TOO_OLD as findK6 does. */
export async function createK6Generator(options: K6GeneratorOptions = {}): Promise<Generator> {
  const place = options.place ?? null;
  const binary = await findK6(options.binary, place);
  const scenariosDir = options.scenariosDir ?? join(repositoryRoot, 'k6', 'scenarios');
  const contractDir = options.contractDir ?? join(repositoryRoot, 'contract');
  return {
    name: 'k6',
    // gracefulStop is 0s.
    cutsRequests: true,
    version: binary.version,
    settings: {
      gracefulStop: '0s',
      bodies: 'compared as text',
      latency: 'sending + waiting + receiving, of responses with status 200',
      timeToFirstByte: 'waiting: from the last byte sent to the first one received',
    },
    pid: () => null,
    run: (request, signal) => run({ binary, place, folders: { scenariosDir, contractDir } }, request, signal),
    // One process a run: nothing is left between runs.
    close: () => Promise.resolve(),
  };
}

function scenarioFile(scenariosDir: string, endpoint: string): string {
  const file = join(scenariosDir, `${endpoint}.ts`);
  if (existsSync(file)) return file;
  throw new LabError(
    'GENERATOR_FAILED',
    `there is no k6 scenario for ${endpoint}: ${file}`,
    'copy one of its neighbours and change the id, or take --generator builtin',
  );
}

interface K6 {
  readonly binary: K6Binary;
  readonly place: GeneratorPlace | null;
  readonly folders: { readonly scenariosDir: string; readonly contractDir: string };
}

async function run({ binary, place, folders }: K6, request: RunRequest, signal: AbortSignal): Promise<GeneratorRun> {
  signal.throwIfAborted();
  const scenario = scenarioFile(folders.scenariosDir, request.endpoint.id);
  if (request.durationMs < shortestMs) {
    throw new LabError(
      'BAD_ARGUMENT',
      `k6 runs for at least ${shortestMs} ms, not ${request.durationMs} ms (${request.id})`,
      'give a longer --duration or fewer --rounds, or take --generator builtin',
    );
  }
  const fileName = `${request.id}.k6.json`;
  const summary = join(request.rawDir, fileName);
  const site = await (place === null ? siteHere(folders, summary) : siteIn(place, summary));
  let isOver = false;
  try {
    const reference = site.file('reference');
    await writeFile(reference.here, request.referenceBody);
    const spawnedAt = new Date();
    const args = commandLine(binary, request, {
      scenario: `${site.scenariosDir}/${basename(scenario)}`,
      summary: site.summary,
      reference: reference.there,
      contractDir: site.contractDir,
    });
    const exit = await runK6(site.commandLine(binary.path, args), {
      env: site.environment,
      limitMs: request.durationMs + overheadMs,
      signal,
      onStart: (pid) => (place === null ? request.endWithLab?.(pid, site.folder) : undefined),
    });
    // Above that are the engine's own codes for a program that it lost.
    isOver = !exit.timedOut && (exit.exitCode ?? Infinity) <= exitCodes.last;
    await site.collect();
    const text = existsSync(summary) ? await readFile(summary, 'utf8') : null;
    const measurement = toMeasurement(readSummary(checkExit(request, exit, text)), {
      durationMs: request.durationMs,
      spawnedAt,
      endpointHasCache: request.endpoint.cache !== undefined,
      exitCode: exit.exitCode ?? exitCodes.ok,
      raw: `${basename(request.rawDir)}/${fileName}`,
      log: exit.log,
    });
    // In a place of its own, what ended here was only the way to k6; the place's own counters are sampled.
    return { measurement, cpu: place === null ? exit.cost : null };
  } finally {
    if (!isOver) await place?.endAll();
    await site.clear();
  }
}

/** What an exit code means for a run, as the start of a sentence; null: the run was made. */
function failureOf(request: RunRequest, exit: K6Exit): string | null {
  if (exit.timedOut) return `did not end within ${request.durationMs + overheadMs} ms`;
  if (exit.killedBy !== null) return `was ended by ${exit.killedBy}`;
  if (exit.exitCode === exitCodes.scriptException) return 'met an exception in the scenario (exit code 107)';
  // An exception inside an iteration ends that iteration only, and k6 exits as if all were well.
  if (exit.log.scriptErrors.length > 0) return `met an exception in the scenario: ${exit.log.scriptErrors[0] ?? ''}`;
  if (exit.exitCode === exitCodes.ok || exit.exitCode === exitCodes.thresholdsCrossed) return null;
  // The scenario ends a warm-up that is warm by aborting the test.
  if (exit.exitCode === exitCodes.scriptAborted && request.stopWhen !== undefined) return null;
  return `ended with exit code ${exit.exitCode ?? 'unknown'}`;
}

/** The summary's text, if the run was made. Throws LabError GENERATOR_FAILED otherwise, with k6's last log lines. */
function checkExit(request: RunRequest, exit: K6Exit, summary: string | null): string {
  const failure = failureOf(request, exit);
  if (failure === null && summary !== null) return summary;
  const what =
    failure === null
      ? `left no summary, with exit code ${exit.exitCode ?? 'unknown'}`
      : `${failure}${summary === null ? ', and left no summary' : `, after ${requestsIn(summary)}`}`;
  throw new LabError(
    'GENERATOR_FAILED',
    `k6 ${what} (${request.id})`,
    summary === null
      ? 'can the folder of the summary be written? k6 says in its log what happened'
      : 'k6 says in its log what happened',
    { logTail: exit.log.tail },
  );
}

/** How far a failed run came, by its own summary. */
function requestsIn(summary: string): string {
  try {
    // k6 leaves out a counter to which nothing was added.
    const requests = readSummary(summary).metrics.get('http_reqs');
    return `${requests?.type === 'counter' ? requests.count : 0} requests`;
  } catch (error) {
    // The failure itself is what is to be reported; this is a detail of it.
    return `an unknown number of requests (${messageOf(error)})`;
  }
}
