import type { ComponentHandle, Environment, EnvironmentRequest } from '../../model/environment.ts';
import { LabError } from '../../model/errors.ts';
import type { WorkDone } from '../../model/measurement.ts';
import type { ServerFingerprint } from '../../model/result.ts';
import { startApi, type Api, type ApiRequest, type PortWish } from './api.ts';
import type { Cleanup } from './cleanup.ts';
import type { Database } from './database.ts';
import { fingerprintApi, fingerprintPostgres, fingerprintRedis } from './fingerprint.ts';
import { ownQuestion } from './own-question.ts';
import type { Cache } from './redis.ts';
import { isDatabaseWorking, settle } from './settle.ts';
import type { Watchdog } from './watchdog.ts';
import { readWorkCounters, type QueryIds } from './work-counters.ts';

/** A queue inside an API moves every few milliseconds; one that stands still for so long is empty. */
const quietAfterCutMs = 150;

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
  readonly #foundation: Foundation;
  readonly #apis = new Map<string, Api>();
  readonly #failed = new AbortController();
  /** Aborted by stop(): a restart that is under way must not start anything any more. */
  readonly #stopping = new AbortController();
  #restart: Promise<void> = Promise.resolve();

  constructor(foundation: Foundation) {
    this.#foundation = foundation;
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

  components(): Readonly<Record<string, ComponentHandle>> {
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
      postgres: await fingerprintPostgres(database.pool, database.cluster.process.pid),
      redis: await fingerprintRedis(cache.client, cache.process.pid),
    };
    for (const { variant } of request.variants) {
      found[`api:${variant.id}`] = await fingerprintApi(this.#api(variant.id), variant, this.#stopping.signal);
    }
    return found;
  }

  async deleteCacheKey(key: string): Promise<void> {
    await ownQuestion('Redis', () => this.#foundation.cache.client.del(key));
  }

  async settle(afterCut: boolean): Promise<void> {
    const { database, cache, queryIds, request } = this.#foundation;
    const look = async () => ({
      isWorking: await isDatabaseWorking(database.pool),
      // What cannot be read does not move; the slice's own reading reports it.
      done: afterCut
        ? JSON.stringify(await readWorkCounters(database.pool, cache.client, queryIds, () => undefined))
        : '',
    });
    if (!(await settle(look, afterCut ? quietAfterCutMs : 0)))
      request.report('database or cache is still at work for an API, 5 s after the load ended');
  }

  endWithLab(pid: number, folder: string): () => void {
    const { watchdog } = this.#foundation;
    watchdog.watch(pid, 'TERM');
    watchdog.remove(folder);
    return () => {
      watchdog.release(pid);
      watchdog.keep(folder);
    };
  }

  async workCounters(): Promise<WorkDone> {
    const { database, cache, queryIds, request } = this.#foundation;
    return readWorkCounters(database.pool, cache.client, queryIds, request.report);
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
