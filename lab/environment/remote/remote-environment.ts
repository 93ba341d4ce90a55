import type { Redis } from 'ioredis';
import type pg from 'pg';
import type { AskedHandle, ComponentHandle, Environment, EnvironmentRequest } from '../../model/environment.ts';
import { LabError } from '../../model/errors.ts';
import type { WorkDone } from '../../model/measurement.ts';
import type { EngineFingerprint, ServerFingerprint } from '../../model/result.ts';
import type { Cleanup } from '../cleanup.ts';
import type { Watchdog } from '../native/watchdog.ts';
import { pause } from '../pause.ts';
import { LabQuestions } from '../servers/lab-questions.ts';
import type { QueryIds } from '../servers/work-counters.ts';
import type { RemoteApi } from './api.ts';
import { fingerprintRemote } from './fingerprint.ts';
import { hostOf, type RemoteTarget } from './options.ts';
import type { OwnProject } from './own-project.ts';

/** Cut requests may still queue inside an API; without its database nobody sees when they are done. */
const unseenRestMs = 1_000;

/** What was found at the URLs that the user gave. */
export interface RemoteParts {
  readonly request: EnvironmentRequest;
  readonly target: RemoteTarget;
  readonly apis: readonly RemoteApi[];
  readonly pool: pg.Pool | null;
  readonly redis: Redis | null;
  readonly queryIds: QueryIds;
  /** The lab's own Compose project; or why nobody says what PostgreSQL and Redis use. */
  readonly project: OwnProject | { readonly why: string };
  readonly watchdog: Watchdog;
  readonly cleanup: Cleanup;
}

/** Servers that somebody else has started: nothing is started, restarted or stopped. */
export class RemoteEnvironment implements Environment {
  readonly name = 'remote';
  readonly restarts = false;
  /** The generator runs where the lab does. */
  readonly generatorPlace = null;
  readonly schedulingGroups: string;
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly engine: EngineFingerprint | null;
  /** Nobody watches the servers; before each run the APIs are asked whether they are still there (settle). */
  readonly failed: AbortSignal = new AbortController().signal;
  readonly #parts: RemoteParts;
  readonly #questions: LabQuestions;
  readonly #stopping = new AbortController();

  constructor(parts: RemoteParts) {
    const { project, target, pool, redis, queryIds, request } = parts;
    this.#parts = parts;
    this.#questions = new LabQuestions({ pool, redis, queryIds, role: null, report: request.report });
    this.databaseUrl = target.databaseUrl;
    this.redisUrl = target.redisUrl;
    this.engine = 'engine' in project ? project.engine : null;
    this.schedulingGroups = 'engine' in project ? 'control group per container' : 'not known';
  }

  baseUrl(variant: string): string {
    const url = this.#parts.target.baseUrls[variant];
    if (url !== undefined) return url;
    throw new LabError('INTERNAL', `there is no API of variant ${variant}`, 'Report this.');
  }

  loadUrl(variant: string): string {
    return this.baseUrl(variant);
  }

  components(): Readonly<Record<string, ComponentHandle>> {
    const { apis, target } = this.#parts;
    const handles = apis.map((api) => [`api:${api.variant}`, api.handle(this.#stopping.signal)] as const);
    return {
      postgres: this.#serverHandle(target.databaseUrl, '--database-url'),
      redis: this.#serverHandle(target.redisUrl, '--redis-url'),
      ...Object.fromEntries(handles),
    };
  }

  /** Never called: a study has one generation here. */
  restartApis(): Promise<void> {
    const error = new LabError('INTERNAL', 'remote servers cannot be restarted', 'Report this.');
    return Promise.reject(error);
  }

  async fingerprint(): Promise<Record<string, ServerFingerprint>> {
    return fingerprintRemote(this.#parts, this.#stopping.signal);
  }

  async deleteCacheKey(key: string): Promise<void> {
    await this.#questions.deleteCacheKey(key);
  }

  /** Throws a LabError SERVER_DIED, too, for an API that is gone or was restarted. */
  async settle(afterCut: boolean): Promise<void> {
    const { request, apis, pool } = this.#parts;
    const signal = AbortSignal.any([request.signal, this.#stopping.signal]);
    await Promise.all(apis.map((api) => api.mustStillBeThere(signal)));
    if (afterCut && pool === null) await pause(unseenRestMs, signal);
    await this.#questions.settle(afterCut);
  }

  async workCounters(): Promise<WorkDone> {
    return this.#questions.workCounters();
  }

  endWithLab(pid: number, folder: string): () => void {
    return this.#parts.watchdog.endWithLab(pid, folder);
  }

  /** Closes the lab's connections; the servers stay as they are. */
  async stop(): Promise<void> {
    this.#stopping.abort(new LabError('INTERRUPTED', 'the environment is being stopped', 'Start it again.'));
    await this.#parts.cleanup.run();
  }

  #serverHandle(url: string | null, option: string): AskedHandle {
    const { project } = this.#parts;
    if (url === null) return unreadable(`${option} is not given`);
    if (!('containers' in project)) return unreadable(project.why);
    const service = hostOf(url);
    return project.containers.services.includes(service)
      ? project.containers.handle(service)
      : unreadable(`${service} is no container of the lab's own Compose project`);
  }
}

function unreadable(why: string): AskedHandle {
  return { kind: 'asked', read: () => Promise.resolve({ unreadable: why }), cores: null };
}
