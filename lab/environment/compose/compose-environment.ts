import type { ComponentHandle, Environment, EnvironmentRequest, GeneratorPlace } from '../../model/environment.ts';
import { LabError } from '../../model/errors.ts';
import type { WorkDone } from '../../model/measurement.ts';
import type { EngineFingerprint, ServerFingerprint } from '../../model/result.ts';
import type { Stack } from '../../model/stack.ts';
import type { Variant } from '../../model/study.ts';
import type { Cleanup } from '../cleanup.ts';
import { limitTo } from '../limit.ts';
import { pause } from '../pause.ts';
import { fingerprintApi, fingerprintPostgres, fingerprintRedis } from '../servers/fingerprint.ts';
import { LabQuestions, type LabConnections } from '../servers/lab-questions.ts';
import { askReady } from '../servers/ready.ts';
import type { Containers } from './containers.ts';
import type { Engine } from './engine.ts';
import { generatorPlace } from './place.ts';
import { generatorService, serviceOf } from './project-file.ts';
import { startFailed } from './servers.ts';
import { watch } from './watch.ts';

/** Port of every API inside its container. */
const apiPort = 8080;
const readyLimitMs = 60_000;
const pollMs = 15;
/** Beyond the API's own shutdown limit, after which it cuts connections itself. */
const stopGraceMs = 1_000;

/** What is already running when the APIs are to be waited for. */
export interface ComposeParts {
  readonly request: EnvironmentRequest;
  readonly engine: Engine;
  readonly containers: Containers;
  readonly project: string;
  /** Absolute path of the folder that the generator's container shares. */
  readonly exchange: string;
  readonly nonce: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly connections: LabConnections;
  readonly cleanup: Cleanup;
}

/** The lab's servers as containers of one Compose project. */
export class ComposeEnvironment implements Environment {
  readonly name = 'compose';
  readonly restarts = true;
  /** Each container is a control group, among which the kernel shares CPU first. */
  readonly schedulingGroups = 'control group per container';
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly project: string;
  readonly engine: EngineFingerprint;
  readonly generatorPlace: GeneratorPlace | null;
  readonly #parts: ComposeParts;
  readonly #questions: LabQuestions;
  readonly #urls = new Map<string, string>();
  readonly #failed = new AbortController();
  readonly #stopping = new AbortController();
  /** Services whose containers are being restarted. */
  readonly #expected = new Set<string>();

  constructor(parts: ComposeParts) {
    this.#parts = parts;
    this.databaseUrl = parts.databaseUrl;
    this.redisUrl = parts.redisUrl;
    this.project = parts.project;
    this.engine = parts.engine.fingerprint;
    this.#questions = new LabQuestions(parts.connections);
    const { engine, containers, project, request } = parts;
    const hasPlace = (request.generator ?? null) !== null;
    this.generatorPlace = hasPlace
      ? generatorPlace(containers, parts.exchange, (services, work) => this.#expecting(services, work))
      : null;
    // Also when the start fails from here on: a watch that goes on would keep the lab alive.
    parts.cleanup.add('the watch', () => {
      this.#stopping.abort(new LabError('INTERRUPTED', 'the environment is being stopped', 'Start it again.'));
      return Promise.resolve();
    });
    watch(
      {
        engine,
        project,
        containers,
        expected: (service) => this.#expected.has(service),
        onFailure: (error) => {
          this.#failed.abort(error);
        },
      },
      this.#stopping.signal,
    );
  }

  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  baseUrl(variant: string): string {
    const url = this.#urls.get(variant);
    if (url !== undefined) return url;
    throw new LabError(
      'INTERNAL',
      `there is no running API of variant ${variant}`,
      'Ask after start, not during a restart.',
    );
  }

  /** On the project's network; not through the published port, behind which a proxy of the engine stands. */
  loadUrl(variant: string): string {
    return `http://${serviceOf(variant)}:${apiPort}`;
  }

  components(): Readonly<Record<string, ComponentHandle>> {
    const { containers, request } = this.#parts;
    const apis = request.variants.map(({ variant }) => [`api:${variant.id}`, containers.handle(serviceOf(variant.id))]);
    return {
      postgres: containers.handle('postgres'),
      redis: containers.handle('redis'),
      ...(Object.fromEntries(apis) as Record<string, ComponentHandle>),
      ...(this.generatorPlace === null ? {} : { generator: containers.handle(generatorService) }),
    };
  }

  /** Waits until every API is ready and proven ours. Throws a LabError (START_FAILED, NOT_OURS) with its last log lines. */
  async waitForApis(): Promise<void> {
    const signal = AbortSignal.any([this.#parts.request.signal, this.#stopping.signal, this.#failed.signal]);
    await Promise.all(this.#parts.request.variants.map((api) => this.#waitFor(api, signal)));
  }

  async restartApis(): Promise<void> {
    const { containers, request } = this.#parts;
    const services = request.variants.map(({ variant }) => serviceOf(variant.id));
    const graceMs = request.contract.limits.shutdownTimeoutMs + stopGraceMs;
    this.#urls.clear();
    await this.#expecting(services, async () => {
      await Promise.all(services.map((service) => containers.restart(service, graceMs)));
    });
    for (const service of services) containers.countLife(service);
    await this.waitForApis();
  }

  async fingerprint(): Promise<Record<string, ServerFingerprint>> {
    const { containers, connections, nonce, request } = this.#parts;
    const ofServer = async (service: string) => {
      const facts = await containers.facts(service);
      return { ...facts, cpuQuota: facts.limits.cpus };
    };
    const found: Record<string, ServerFingerprint> = {
      postgres: await fingerprintPostgres(connections.pool, await ofServer('postgres')),
      redis: await fingerprintRedis(connections.redis, await ofServer('redis')),
    };
    for (const { variant } of request.variants) {
      const facts = await ofServer(serviceOf(variant.id));
      found[`api:${variant.id}`] = await fingerprintApi(
        this.baseUrl(variant.id),
        nonce,
        variant,
        // Its own word on its control group goes before what it was started with.
        ({ runtime }) => (runtime.cpuQuota === undefined ? facts : { ...facts, cpuQuota: runtime.cpuQuota }),
        this.#stopping.signal,
      );
    }
    if (this.generatorPlace !== null) {
      const facts = await ofServer(generatorService);
      const { name } = facts.image;
      found.generator = { name: 'container', version: name, parallelism: null, ...facts, pools: null, settings: {} };
    }
    return found;
  }

  async deleteCacheKey(key: string): Promise<void> {
    await this.#questions.deleteCacheKey(key);
  }

  async settle(afterCut: boolean): Promise<void> {
    await this.#questions.settle(afterCut);
  }

  async workCounters(): Promise<WorkDone> {
    return this.#questions.workCounters();
  }

  /** Nothing to do: whatever runs in the generator's container ends with it. */
  endWithLab(): () => void {
    return () => undefined;
  }

  async stop(): Promise<void> {
    await this.#parts.cleanup.run();
  }

  async #waitFor({ variant, stack }: { variant: Variant; stack: Stack }, signal: AbortSignal): Promise<void> {
    const { containers, nonce, request } = this.#parts;
    const service = serviceOf(variant.id);
    const limit = limitTo(readyLimitMs, signal);
    let last = 'it does not listen';
    let baseUrl: string | null = null;
    while (!limit.aborted) {
      // A restart moves a port that the engine chose.
      const port: number | null = baseUrl === null ? await containers.publishedPort(service, apiPort) : null;
      if (port !== null) baseUrl = `http://127.0.0.1:${port}`;
      if (baseUrl === null) {
        const how = await containers.howItEnded(service);
        if (how !== null) throw await startFailed(containers, service, `${how} while starting`);
      } else {
        const readiness = await askReady({ baseUrl, stack, contract: request.contract, nonce }, limit);
        if (readiness.state === 'ready') {
          this.#urls.set(variant.id, baseUrl);
          return;
        }
        if (readiness.state === 'another') throw notOurs(service, baseUrl);
        last = readiness.why;
      }
      await pause(pollMs, limit).catch(() => undefined);
    }
    signal.throwIfAborted();
    throw await startFailed(containers, service, `was not ready within ${readyLimitMs / 1000} s: ${last}`);
  }

  async #expecting<T>(services: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const service of services) this.#expected.add(service);
    try {
      return await work();
    } finally {
      for (const service of services) this.#expected.delete(service);
    }
  }
}

function notOurs(service: string, baseUrl: string): LabError {
  return new LabError(
    'NOT_OURS',
    `${baseUrl} is answered by a server with another nonce, not by the container of ${service}`,
    'See who listens there; LOADLAB_NONCE must be answered on /health.',
  );
}
