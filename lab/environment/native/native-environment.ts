import type { Environment, EnvironmentRequest, ProcessHandle } from '../../model/environment.ts';
import { LabError } from '../../model/errors.ts';
import type { WorkDone } from '../../model/measurement.ts';
import type { ServerFingerprint } from '../../model/result.ts';
import { startApi, type Api, type ApiRequest, type PortWish } from './api.ts';
import type { Cleanup } from '../cleanup.ts';
import type { Database } from './database.ts';
import { apiRole } from '../servers/database-login.ts';
import { fingerprintApi, fingerprintPostgres, fingerprintRedis } from '../servers/fingerprint.ts';
import { LabQuestions } from '../servers/lab-questions.ts';
import type { QueryIds } from '../servers/work-counters.ts';
import { cpuQuotaOf } from './cpu-quota.ts';
import type { Cache } from './redis.ts';
import type { Watchdog } from './watchdog.ts';

/** What is already running when the APIs are to be started. */
export interface Foundation {
  readonly request: EnvironmentRequest;
  readonly database: Database;
  readonly cache: Cache;
  readonly queryIds: QueryIds;
  readonly schedulingGroups: string;
  readonly apiRequests: readonly ApiRequest[];
  readonly cleanup: Cleanup;
  readonly watchdog: Watchdog;
}

/** The lab's servers as processes of this machine. */
export class NativeEnvironment implements Environment {
  readonly name = 'native';
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly schedulingGroups: string;
  /** The generator runs beside the servers, as a process of this machine. */
  readonly generatorPlace = null;
  readonly engine = null;
  readonly restarts = true;
  readonly #foundation: Foundation;
  readonly #questions: LabQuestions;
  readonly #apis = new Map<string, Api>();
  readonly #failed = new AbortController();
  /** Aborted by stop(): a restart that is under way must not start anything any more. */
  readonly #stopping = new AbortController();
  #restart: Promise<void> = Promise.resolve();

  constructor(foundation: Foundation) {
    this.#foundation = foundation;
    this.#questions = new LabQuestions({
      pool: foundation.database.pool,
      redis: foundation.cache.client,
      queryIds: foundation.queryIds,
      role: apiRole,
      report: foundation.request.report,
    });
    this.databaseUrl = foundation.database.url;
    this.redisUrl = foundation.cache.url;
    this.schedulingGroups = foundation.schedulingGroups;
    foundation.cleanup.add('the APIs', () => this.#stopApis());
    foundation.database.cluster.process.reportDeath(this.#onDeath);
    foundation.cache.process.reportDeath(this.#onDeath);
  }

  get failed(): AbortSignal {
    return this.#failed.signal;
  }

  readonly #onDeath = (error: LabError): void => {
    if (!this.#stopping.signal.aborted) this.#failed.abort(error);
  };

  baseUrl(variant: string): string {
    return this.#api(variant).baseUrl;
  }

  loadUrl(variant: string): string {
    return this.baseUrl(variant);
  }

  components(): Readonly<Record<string, ProcessHandle>> {
    const { database, cache } = this.#foundation;
    // A stack may be a cluster, or be started through a wrapper: its children count as well.
    const apis = [...this.#apis.values()].map(
      (api) => [`api:${api.variant}`, { kind: 'process-tree', pid: api.process.pid }] as const,
    );
    return {
      postgres: { kind: 'process-tree', pid: database.cluster.process.pid },
      redis: { kind: 'process', pid: cache.process.pid },
      ...Object.fromEntries(apis),
    };
  }

  /** Starts every API for the first time, on its fixed port if it has one. */
  async startApis(): Promise<void> {
    const fixed = this.#foundation.request.portsByVariant ?? {};
    await this.#startAll((variant) => ({ port: fixed[variant] ?? null, must: fixed[variant] !== undefined }));
  }

  async restartApis(): Promise<void> {
    this.#restart = this.#restart.then(() => this.#restartNow());
    await this.#restart;
  }

  async #restartNow(): Promise<void> {
    const fixed = this.#foundation.request.portsByVariant ?? {};
    const before = new Map([...this.#apis.values()].map((api) => [api.variant, api.port]));
    await this.#stopApis();
    await this.#startAll((variant) => ({ port: before.get(variant) ?? null, must: fixed[variant] !== undefined }));
  }

  async #startAll(wish: (variant: string) => PortWish): Promise<void> {
    const signal = AbortSignal.any([this.#foundation.request.signal, this.#stopping.signal, this.#failed.signal]);
    // One that fails must not leave another one half started: wait for all, then say what failed.
    const outcomes = await Promise.allSettled(
      this.#foundation.apiRequests.map(async (request) => {
        signal.throwIfAborted();
        const api = await startApi(request, wish(request.variant.id), signal);
        this.#apis.set(request.variant.id, api);
        api.process.reportDeath(this.#onDeath);
      }),
    );
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  }

  async #stopApis(): Promise<void> {
    const apis = [...this.#apis.values()];
    this.#apis.clear();
    await Promise.all(apis.map((api) => api.stop()));
  }

  async fingerprint(): Promise<Record<string, ServerFingerprint>> {
    const { database, cache, request } = this.#foundation;
    const found: Record<string, ServerFingerprint> = {
      postgres: await fingerprintPostgres(database.pool, { cpuQuota: await cpuQuotaOf(database.cluster.process.pid) }),
      redis: await fingerprintRedis(cache.client, { cpuQuota: await cpuQuotaOf(cache.process.pid) }),
    };
    for (const { variant } of request.variants) {
      const { baseUrl, health, process } = this.#api(variant.id);
      const cpuQuota = await cpuQuotaOf(process.pid);
      const around = (): { cpuQuota: number | null } => ({ cpuQuota });
      found[`api:${variant.id}`] = await fingerprintApi(baseUrl, health.nonce, variant, around, this.#stopping.signal);
    }
    return found;
  }

  async deleteCacheKey(key: string): Promise<void> {
    await this.#questions.deleteCacheKey(key);
  }

  async settle(afterCut: boolean): Promise<void> {
    await this.#questions.settle(afterCut);
  }

  endWithLab(pid: number, folder: string): () => void {
    return this.#foundation.watchdog.endWithLab(pid, folder);
  }

  async workCounters(): Promise<WorkDone> {
    return this.#questions.workCounters();
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new LabError('INTERRUPTED', 'the environment is being stopped', 'Start it again.'));
    await this.#restart.catch(() => undefined);
    await this.#foundation.cleanup.run();
  }

  #api(variant: string): Api {
    const api = this.#apis.get(variant);
    if (api) return api;
    throw new LabError(
      'INTERNAL',
      `there is no running API of variant ${variant}`,
      'Ask after start, not during a restart.',
    );
  }
}
