import { z } from 'zod';
import { Slice, WarmUp } from './plan.ts';

const ms = z.number().nullable();
/** Latency figures in milliseconds; null where there were no requests or the generator does not say. */
export const Percentiles = z.strictObject({ mean: ms, min: ms, p50: ms, p90: ms, p95: ms, p99: ms, p999: ms, max: ms });
export type Percentiles = z.infer<typeof Percentiles>;

/** The figures of no requests at all. */
export const noPercentiles: Percentiles = {
  mean: null,
  min: null,
  p50: null,
  p90: null,
  p95: null,
  p99: null,
  p999: null,
  max: null,
};

const counted = z.int().min(0);

/** Transport and response failures by kind, e.g. `ECONNREFUSED`, `timeout`, `status 500`, with one example line. */
export const ErrorCounts = z.record(z.string(), z.strictObject({ count: counted, example: z.string() }));
export type ErrorCounts = z.infer<typeof ErrorCounts>;

/** What one run yielded, in base units, whichever generator made it. */
export const Measurement = z.strictObject({
  /** ISO 8601, UTC, when the window opened. */
  startedAt: z.string(),
  /** Length of the window in which requests were counted. */
  windowMs: z.number().positive(),
  /** Requests whose last byte arrived in the window (failed ones included). */
  requests: counted,
  /** Requests completed by this run outside the window (lead-in, drain, setup()). */
  requestsOutsideWindow: counted,
  /** requests / window. */
  requestsPerSecond: z.number().min(0),
  /** Of `requests`: no response, or a status other than 200. */
  failedRequests: counted,
  /**
   * Requests that were in flight when the drain's limit cut them, whatever the window: in neither count above, and counted as
   * failed. 0 for k6, which by design cuts requests at the window's end (gracefulStop 0s).
   */
  unfinishedRequests: counted,
  /** Checks made on requests of the window, by name; see k6/lib/checks.ts. */
  checks: z.record(z.string(), z.strictObject({ passed: counted, failed: counted })),
  /** X-Cache headers over every response of the run, inside the window and outside it. */
  cache: z.strictObject({ hit: counted, miss: counted, absent: counted }),
  /** Body bytes over the window's requests (builtin), or all bytes received (k6, which counts headers too). */
  bytesReceived: z.number().min(0),
  bytesInclude: z.enum(['bodies', 'bodies-and-headers']),
  /** null where the generator does not say. */
  connectionsOpened: counted.nullable(),
  latencyMs: Percentiles,
  timeToFirstByteMs: Percentiles,
  /** k6's phases (blocked, connecting, sending, waiting, receiving); null for builtin. */
  phasesMs: z.record(z.string(), Percentiles).nullable(),
  errors: ErrorCounts,
  /** Why responses failed their checks: one line a distinct reason, at most 5. */
  failedCheckExamples: z.array(z.string()),
  /** The generator's own exit code; null for builtin, which lives on. */
  exitCode: z.int().nullable(),
  /** File of the raw summary or histogram, relative to the set's folder. */
  raw: z.string(),
});
export type Measurement = z.infer<typeof Measurement>;

/** One component over one run, on the lab's clock. Null: could not be had; `reason` says why. */
export const ComponentSample = z.strictObject({
  cpuUserMs: z.number().nullable(),
  cpuSystemMs: z.number().nullable(),
  /** Larger of the readings at both ends of the run. */
  residentBytes: z.number().nullable(),
  /** Time that its threads were held back by a CPU quota, together; null or absent where nobody says. */
  throttledMs: z.number().nullable().optional(),
  reason: z.string().nullable(),
});
export type ComponentSample = z.infer<typeof ComponentSample>;

/**
 * CPU and memory over one whole run (window, lead-in and drain together), read at its ends.
 * Keys of `components`: `generator`, `postgres`, `redis`, `lab`, and `api:<variant>` for each variant that is running.
 */
export const Sample = z.strictObject({
  elapsedMs: z.number().positive(),
  components: z.record(z.string(), ComponentSample),
  /** Over all cores; null where /proc/stat is not there. */
  host: z.strictObject({ busyMs: z.number(), idleMs: z.number(), stealMs: z.number() }).nullable(),
});
export type Sample = z.infer<typeof Sample>;

/** What database and cache say happened during the run. Null: could not be had. */
export const WorkDone = z.strictObject({
  keyspaceHits: z.int().nullable(),
  keyspaceMisses: z.int().nullable(),
  /** pg_stat_statements calls, by the contract's query file. */
  queryCalls: z.record(z.string(), z.int().nullable()),
});
export type WorkDone = z.infer<typeof WorkDone>;

export const RunFailure = z.strictObject({ code: z.string(), message: z.string() });

/** A slice as saved when it ended. Exactly one of `measurement` and `failure` is set. */
export const SliceRecord = z.strictObject({
  slice: Slice,
  measurement: Measurement.nullable(),
  failure: RunFailure.nullable(),
  sample: Sample.nullable(),
  work: WorkDone.nullable(),
});
export type SliceRecord = z.infer<typeof SliceRecord>;

/** A warm-up as saved: flagged by its place, never counted. */
export const WarmUpRecord = z.strictObject({
  warmUp: WarmUp,
  /** False when maxDurationMs ended it before both minima were reached. */
  finished: z.boolean(),
  measurement: Measurement.nullable(),
  failure: RunFailure.nullable(),
});
export type WarmUpRecord = z.infer<typeof WarmUpRecord>;
