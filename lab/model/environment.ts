import type { Contract } from './contract.ts';
import type { WorkDone } from './measurement.ts';
import type { EnvironmentName } from './plan.ts';
import type { ServerFingerprint } from './result.ts';
import type { Stack } from './stack.ts';
import type { Variant } from './study.ts';

/** What an environment needs to know before it starts. */
export interface EnvironmentRequest {
  readonly contract: Contract;
  /** Absolute path of contract/. */
  readonly contractDir: string;
  readonly variants: readonly { readonly variant: Variant; readonly stack: Stack }[];
  /** One plain line per step, for progress and the log. */
  readonly report: (line: string) => void;
  /** Where servers write their logs: one file a component. */
  readonly logDir: string;
  /** Aborted when the user interrupts: start() rejects, and everything that was started is stopped. */
  readonly signal: AbortSignal;
  /** Fixed ports for use by hand (`loadlab up`); free ones otherwise. */
  readonly portsByVariant?: Readonly<Record<string, number>>;
}

/** How the CPU and memory of a component are found. */
export type ComponentHandle =
  | { readonly kind: 'process'; readonly pid: number }
  /** PostgreSQL: the postmaster and all its children, those that ended included. */
  | { readonly kind: 'process-tree'; readonly pid: number };

/** Servers that are running, reachable and proven to be the lab's own. */
export interface Environment {
  readonly name: EnvironmentName;
  /** http://127.0.0.1:port of a variant's API, without a trailing slash. */
  baseUrl(variant: string): string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly schedulingGroups: string;
  /** `postgres`, `redis`, `api:<variant>`. Pids change with a restart: ask again. */
  components(): Readonly<Record<string, ComponentHandle>>;
  /** Restarts every API (a new generation), waits until each is ready and proven ours. PostgreSQL and Redis stay. */
  restartApis(): Promise<void>;
  /** Versions, parallelism, quota, pools of every server: `postgres`, `redis`, `api:<variant>`. */
  fingerprint(): Promise<Record<string, ServerFingerprint>>;
  /** Deletes a cache key. */
  deleteCacheKey(key: string): Promise<void>;
  /**
   * Waits, within a limit, until database and cache work on nothing that an earlier run left behind. `afterCut`: that run cut
   * requests off, whose work may still queue inside an API: then nothing may move for a while.
   */
  settle(afterCut: boolean): Promise<void>;
  /** Cumulative counters of database and cache; a run's work is the difference of two. */
  workCounters(): Promise<WorkDone>;
  /**
   * From now on the process group `pid`, a generator's, ends with the lab, also when the lab is killed outright, and `folder`,
   * the absolute path of what it works in, is then removed.
   * @returns what to call when the group has ended
   */
  endWithLab(pid: number, folder: string): () => void;
  /** Aborted with a LabError (SERVER_DIED, named, with its last log lines) when a server of the lab dies by itself. */
  readonly failed: AbortSignal;
  /** Stops everything that was started, in order; safe to call twice. */
  stop(): Promise<void>;
}
