import type { Contract } from './contract.ts';
import type { WorkDone } from './measurement.ts';
import type { EnvironmentName, GeneratorName } from './plan.ts';
import type { EngineFingerprint, ServerFingerprint } from './result.ts';
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
  /** Whose programs need a place beside the servers (Environment.generatorPlace); null: none, for use by hand. */
  readonly generator?: GeneratorName | null;
  /** Whether what was started stays, for use by hand, when the environment is stopped. */
  readonly keep?: boolean;
}

/** A component that is a process of this machine: the kernel counts for it. */
export type ProcessHandle =
  | { readonly kind: 'process'; readonly pid: number }
  /** PostgreSQL: the postmaster and all its children, those that ended included. */
  | { readonly kind: 'process-tree'; readonly pid: number };

/** A component for which somebody is asked who counts: a container's engine, or the component itself. */
export interface AskedHandle {
  readonly kind: 'asked';
  /** Never rejects: what cannot be had is a reading that says so. */
  readonly read: () => Promise<UsageReading>;
  /** CPUs of its machine, more than which it cannot use; null where they are not known. */
  readonly cores: number | null;
}

/** How the CPU and memory of a component are found. */
export type ComponentHandle = ProcessHandle | AskedHandle;

/** What a component has used since it was started, as it was told; or why that is not known. */
export type UsageReading =
  | {
      /** Differs after a restart, from which on the counters begin anew. */
      readonly life: string;
      /** Both kinds together. */
      readonly cpuMs: number;
      /** Its two parts, which may be counted more coarsely: shares of it. */
      readonly cpuUserMs: number;
      readonly cpuSystemMs: number;
      /** null where nobody says. */
      readonly residentBytes: number | null;
      /** Time that threads were held back by a CPU quota; null where nobody says. */
      readonly throttledMs: number | null;
    }
  | { readonly unreadable: string };

/** Where a generator's programs run beside the servers when that is not simply this machine: a container on their network. */
export interface GeneratorPlace {
  /** The command, on this machine, that runs `argv` there with `environment`; its standard streams are that program's. */
  commandLine(
    argv: readonly [string, ...string[]],
    environment: Readonly<Record<string, string>>,
  ): [string, ...string[]];
  /** Root of the clone's files there: contract/ and k6/, and for the built-in generator dist/. */
  readonly root: string;
  /** A folder that both sides see: its absolute path here, and there. */
  readonly exchange: { readonly here: string; readonly there: string };
  /** Ends every program that runs there, at once: ending the command of `commandLine` may leave it running. */
  endAll(): Promise<void>;
}

/** Servers that are running, reachable and proven to be the lab's own. */
export interface Environment {
  readonly name: EnvironmentName;
  /** http://host:port of a variant's API as the lab reaches it, without a trailing slash. */
  baseUrl(variant: string): string;
  /** The same as the generator reaches it: another one where the generator has a place of its own. */
  loadUrl(variant: string): string;
  /** null: the generator runs where the lab does. */
  readonly generatorPlace: GeneratorPlace | null;
  /** Whether the APIs can be restarted; where not, a study has one generation. */
  readonly restarts: boolean;
  /** null: it was not given, and is not asked (remote). */
  readonly databaseUrl: string | null;
  readonly redisUrl: string | null;
  readonly schedulingGroups: string;
  /** What runs the servers where that is a container engine; null elsewhere. */
  readonly engine: EngineFingerprint | null;
  /** `postgres`, `redis`, `api:<variant>`, and `generator` where it has a place of its own. They change with a restart: ask again. */
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

/** One whose servers the lab has started itself. */
export interface OwnEnvironment extends Environment {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}
