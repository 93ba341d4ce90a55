import type { ComponentHandle, Environment, EnvironmentRequest, GeneratorPlace } from '../../model/environment.ts';
import { LabError } from '../../model/errors.ts';
import type { WorkDone } from '../../model/measurement.ts';
import type { EngineFingerprint, ServerFingerprint } from '../../model/result.ts';
import type { Cleanup } from '../cleanup.ts';
import { fingerprintApi, fingerprintPostgres, fingerprintRedis } from '../servers/fingerprint.ts';
import { LabQuestions, type LabConnections } from '../servers/lab-questions.ts';
import { apiPort, waitForApi } from './api.ts';
import type { Containers } from './containers.ts';
import type { Engine } from './engine.ts';
import { generatorPlace } from './place.ts';
import { generatorService, serviceOf } from './project-file.ts';
import { watch } from './watch.ts';

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
    const { containers, nonce, request } = this.#parts;
    await Promise.all(
      request.variants.map(async ({ variant, stack }) => {
        const expected = { stack, contract: request.contract, nonce };
        this.#urls.set(variant.id, await waitForApi(containers, serviceOf(variant.id), expected, signal));
      }),
    );
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

  async #expecting<T>(services: readonly string[], work: () => Promise<T>): Promise<T> {
    for (const service of services) this.#expected.add(service);
    try {
      return await work();
    } finally {
      for (const service of services) this.#expected.delete(service);
    }
  }
}
