import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { repositoryRoot } from '../../contract/root.ts';
import type { GeneratorPlace } from '../../model/environment.ts';
import { LabError } from '../../model/errors.ts';
import type { Generator, GeneratorRun, RunRequest } from '../../model/generator.ts';
import type { BuiltinRaw } from '../../model/histogram.ts';
import { cannotWrite, writeWhole } from '../../model/write-whole.ts';
import { measurementOf } from './measurement.ts';
import type { FromWorker, Job } from './messages.ts';
import { WorkerProcess } from './worker-process.ts';

/** Beyond the window: connecting, lead-in, drain, and a machine that is busy. */
const runMarginMs = 60_000;
/** An aborted worker closes its connections and answers at once; when it does not, it is killed. */
const abortLimitMs = 2_000;
const versionLimitMs = 20_000;

/** The lab's own driver, behind the port: one process that lives across runs. */
export class BuiltinGenerator implements Generator {
  readonly name = 'builtin';
  readonly cutsRequests = false;
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
  private readonly place: GeneratorPlace | null;
  private worker: WorkerProcess | null;
  private running = false;
  private closed = false;

  /**
   * Starts its process, here or where `place` is.
   * @throws LabError BUILD_FAILED or GENERATOR_FAILED when it does not start.
   */
  static async open(place: GeneratorPlace | null = null): Promise<BuiltinGenerator> {
    const [undici, node] = await Promise.all([undiciVersion(), nodeVersion(place)]);
    // Last: nobody would end it if another one failed.
    const worker = await WorkerProcess.start(repositoryRoot, place);
    return new BuiltinGenerator(`undici ${undici}, Node.js ${node}`, worker, place);
  }

  private constructor(version: string, worker: WorkerProcess, place: GeneratorPlace | null) {
    this.version = version;
    this.place = place;
    this.settings = {
      connections: 'one a virtual user',
      pipelining: '1',
      reads: 'direct, 16 KiB buffer',
      histogram: 'HDR, microseconds, 3 significant digits',
      process: 'one, alive across runs',
    };
    this.worker = worker;
  }

  pid(): number | null {
    return this.worker?.pid ?? null;
  }

  async run(request: RunRequest, signal: AbortSignal): Promise<GeneratorRun> {
    signal.throwIfAborted();
    if (this.running) throw new LabError('INTERNAL', 'the generator was asked for two runs at once', 'Report this.');
    this.running = true;
    try {
      const raw = await this.load(jobOf(request), signal);
      const file = `${request.id}.builtin.json`;
      await save(join(request.rawDir, file), request.rawDir, raw);
      return { measurement: measurementOf(raw, `raw/${file}`), cpu: null };
    } finally {
      this.running = false;
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const worker = this.worker;
    this.worker = null;
    await worker?.close();
  }

  /** After a failure the process is gone; the next run has a new one. */
  private async livingWorker(): Promise<WorkerProcess> {
    if (this.closed) throw closedError();
    if (this.worker?.alive === true) return this.worker;
    const worker = await WorkerProcess.start(repositoryRoot, this.place);
    // close() may have been called meanwhile, and did not know of this one.
    if (this.isClosed()) {
      await worker.close();
      throw closedError();
    }
    this.worker = worker;
    return worker;
  }

  private isClosed(): boolean {
    return this.closed;
  }

  private async load(job: Job, signal: AbortSignal): Promise<BuiltinRaw> {
    const worker = await this.livingWorker();
    signal.throwIfAborted();
    const answer = worker.ask({ type: 'run', job }, job.durationMs + runMarginMs);
    let deadline: NodeJS.Timeout | undefined;
    const abort = (): void => {
      worker.tell({ type: 'abort' });
      // A place that cannot be asked to end it goes with its environment.
      deadline = setTimeout(() => void worker.kill().catch(() => undefined), abortLimitMs);
    };
    signal.addEventListener('abort', abort, { once: true });
    try {
      const message = await answer;
      signal.throwIfAborted();
      return rawOf(message);
    } catch (thrown) {
      signal.throwIfAborted();
      this.worker = null;
      await worker.kill();
      throw thrown;
    } finally {
      signal.removeEventListener('abort', abort);
      clearTimeout(deadline);
    }
  }
}

function closedError(): LabError {
  return new LabError('INTERNAL', 'the generator was asked for a run after it was closed', 'Report this.');
}

function rawOf(message: FromWorker): BuiltinRaw {
  if (message.type === 'done') return message.raw;
  const what = message.type === 'failed' ? message.message : `it answered a run with "${message.type}"`;
  throw new LabError('GENERATOR_FAILED', `the built-in generator failed: ${what}`, 'Check the base URL and the log.');
}

function jobOf(request: RunRequest): Job {
  return {
    id: request.id,
    url: request.baseUrl + request.endpoint.path,
    load: request.load,
    durationMs: request.durationMs,
    check: request.check,
    referenceBody: request.referenceBody,
    expectedCount: request.endpoint.query?.expectedCount ?? null,
    expectedCache: request.expectedCache,
    stopWhen: request.stopWhen ?? null,
  };
}

async function save(path: string, folder: string, raw: BuiltinRaw): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (cause) {
    throw cannotWrite(folder, cause);
  }
  await writeWhole(path, `${JSON.stringify(raw)}\n`);
}

async function undiciVersion(): Promise<string> {
  const path = createRequire(import.meta.url).resolve('undici/package.json');
  const parsed: unknown = JSON.parse(await readFile(path, 'utf8'));
  return z.object({ version: z.string() }).parse(parsed).version;
}

/** Of the Node.js that makes the load. */
async function nodeVersion(place: GeneratorPlace | null): Promise<string> {
  if (place === null) return process.versions.node;
  const [program, ...args] = place.commandLine(['node', '--version'], {});
  const { stdout, stderr, exitCode } = await execa(program, args, { timeout: versionLimitMs, reject: false });
  if (exitCode === 0) return stdout.trim().replace(/^v/, '');
  throw new LabError(
    'GENERATOR_FAILED',
    `node does not answer where the load is to be made: ${stderr.split('\n')[0] ?? ''}`,
    'See compose.log of this set.',
  );
}
