import { z } from 'zod';
import { ErrorCounts, Percentiles, SliceRecord, WarmUpRecord } from './measurement.ts';
import { Cell, CheckMode, EnvironmentName, GeneratorName, Plan } from './plan.ts';
import { Load } from './study.ts';

/** Doubt that travels with a number: what was seen, against which limit, and what to do. */
export const Reason = z.strictObject({ rule: z.string(), seen: z.string(), limit: z.string(), advice: z.string() });
export type Reason = z.infer<typeof Reason>;

/** `reasons` changed the state; `notes` did not (variance is already paid for by the interval). */
export const Verdict = z.strictObject({
  state: z.enum(['valid', 'suspect', 'invalid']),
  reasons: z.array(Reason),
  notes: z.array(Reason),
});
export type Verdict = z.infer<typeof Verdict>;

export const ThresholdOutcome = z.strictObject({
  name: z.enum(['p95', 'failed', 'checks']),
  /** e.g. `p95 < 500 ms`. */
  expression: z.string(),
  value: z.number().nullable(),
  /** null: not evaluated, there was nothing to evaluate. */
  passed: z.boolean().nullable(),
});
export type ThresholdOutcome = z.infer<typeof ThresholdOutcome>;

/** A cell's statistics over its rounds. */
export const Summary = z.strictObject({
  cell: Cell,
  /** Rounds that yielded a measurement, and rounds planned. */
  rounds: z.int(),
  plannedRounds: z.int(),
  requests: z.int(),
  failedRequests: z.int(),
  /** Cut in flight by the drain's limit: not among `requests`, counted as failed by the rule unfinished-requests. */
  unfinishedRequests: z.int(),
  /** failedRequests / requests; null without requests. */
  failedRate: z.number().nullable(),
  checksPassed: z.int(),
  checksFailed: z.int(),
  /** Passed checks / all checks; null without checks. */
  checksRate: z.number().nullable(),
  requestsPerSecond: z.strictObject({
    /** All requests / all window time; null without a measured round. */
    mean: z.number().nullable(),
    min: z.number().nullable(),
    max: z.number().nullable(),
    /** Sample standard deviation over mean of the rounds; null below two rounds. */
    coefficientOfVariation: z.number().nullable(),
    perRound: z.array(z.strictObject({ round: z.int(), generation: z.int(), value: z.number() })),
  }),
  /** Percentiles are never averaged: histograms merged over the rounds (builtin), or the median over rounds (k6), as `percentilesFrom` says. */
  latencyMs: Percentiles,
  timeToFirstByteMs: Percentiles,
  percentilesFrom: z.enum(['merged-histograms', 'median-of-rounds', 'one-round']).nullable(),
  bytesPerResponse: z.number().nullable(),
  errors: ErrorCounts,
  failedCheckExamples: z.array(z.string()),
  /** CPU milliseconds per request by component (`api`, `generator`, `postgres`, `redis`); null where not sampled. */
  cpuMsPerRequest: z.record(z.string(), z.number().nullable()),
  /** s: the generator's part of the CPU time of all the lab's components (generator, this cell's API, PostgreSQL, Redis). */
  generatorShare: z.number().nullable(),
  /** Largest resident memory of this cell's API at the slices' ends. */
  peakResidentBytes: z.number().nullable(),
  thresholds: z.array(ThresholdOutcome),
  verdicts: z.strictObject({ throughput: Verdict, latency: Verdict }),
});
export type Summary = z.infer<typeof Summary>;

/** What statistics/ says of a cell, before the rules have judged it. */
export type SummaryFigures = Omit<Summary, 'thresholds' | 'verdicts'>;

/**
 * A variant over the baseline, same endpoint and load. `outcome`:
 * `different` (interval excludes 1 and Holm rejects: ranked), `shown-not-ranked` (interval excludes 1, Holm does not reject),
 * `no-detectable-difference` (interval includes 1), `no-interval` (too few rounds: not ranked), `withheld` (the verdict is invalid).
 */
export const Comparison = z.strictObject({
  metric: z.literal('throughput'),
  endpoint: z.string(),
  load: Load,
  variant: z.string(),
  baseline: z.string(),
  /** Paired rounds used. */
  pairs: z.int(),
  /** exp(Hodges–Lehmann estimate of the paired log ratios); null without pairs. */
  ratio: z.number().nullable(),
  /** Exact Wilcoxon signed-rank interval; `confidence` is the attained one. Null below minRoundsForInterval pairs. */
  interval: z.strictObject({ low: z.number(), high: z.number(), confidence: z.number() }).nullable(),
  /** Exact two-sided Wilcoxon signed-rank p, and Holm's adjusted one over the table's throughput rows. */
  pValue: z.number().nullable(),
  adjustedPValue: z.number().nullable(),
  outcome: z.enum(['different', 'shown-not-ranked', 'no-detectable-difference', 'no-interval', 'withheld']),
  /** With `no-detectable-difference`: the smallest ratio that would have been seen; null otherwise. */
  smallestDetectableRatio: z.number().nullable(),
  /** The generator's share in the faster of the two cells. */
  generatorShare: z.number().nullable(),
  verdict: Verdict,
});
export type Comparison = z.infer<typeof Comparison>;

/** How one comparison's ratio moved from the smallest load to the largest. */
export const LoadMovement = z.strictObject({
  endpoint: z.string(),
  variant: z.string(),
  baseline: z.string(),
  from: z.strictObject({ load: Load, ratio: z.number().nullable() }),
  to: z.strictObject({ load: Load, ratio: z.number().nullable() }),
  /** to.ratio / from.ratio. */
  ratioOfRatios: z.number().nullable(),
});
export type LoadMovement = z.infer<typeof LoadMovement>;

export const Headline = z.strictObject({
  requests: z.int(),
  /** Slices that yielded a measurement. */
  runs: z.int(),
  plannedRuns: z.int(),
  /** Unfinished ones included. */
  failedRequests: z.int(),
  /** Of all requests, unfinished ones included; null without any. */
  failedRate: z.number().nullable(),
  checksRate: z.number().nullable(),
  /** Over comparisons that are not withheld. */
  ratioRange: z.strictObject({ min: z.number(), max: z.number() }).nullable(),
  highestP95: z.strictObject({ valueMs: z.number(), cell: Cell }).nullable(),
});
export type Headline = z.infer<typeof Headline>;

/** The gate's finding for one endpoint: the same status, headers and body bytes from every variant, or no load at all. */
export const ParityResult = z.strictObject({
  endpoint: z.string(),
  passed: z.boolean(),
  /** One line that names the first difference; null when passed. */
  difference: z.string().nullable(),
  status: z.int().nullable(),
  bodyBytes: z.int().nullable(),
  /** sha256 of the reference body. */
  bodySha256: z.string().nullable(),
  /** Hop-by-hop headers and Date, which may differ: variant -> header -> value. */
  hopByHop: z.record(z.string(), z.record(z.string(), z.string())),
});
export type ParityResult = z.infer<typeof ParityResult>;

/** What a container may use; null: no limit. */
export const Limits = z.strictObject({
  cpus: z.number().nullable(),
  memoryBytes: z.number().nullable(),
  /** CPUs by number, such as `0-1`; null: all. */
  cpuset: z.string().nullable(),
});
export type Limits = z.infer<typeof Limits>;

/** What a container was made of. */
export const Image = z.strictObject({
  name: z.string(),
  /** sha256 of its configuration: the same only for the same image. */
  id: z.string(),
  /** `name@sha256:…` in the registry that it came from; null for one that was built here. */
  digest: z.string().nullable(),
});
export type Image = z.infer<typeof Image>;

/** The container engine. */
export const EngineFingerprint = z.strictObject({
  name: z.string(),
  version: z.string(),
  /** Of `docker compose`. */
  composeVersion: z.string(),
  /** Of the kernel's control groups: `1` or `2`. */
  cgroupVersion: z.string(),
  storageDriver: z.string(),
});
export type EngineFingerprint = z.infer<typeof EngineFingerprint>;

export const ServerFingerprint = z.strictObject({
  name: z.string(),
  version: z.string(),
  /** Threads of execution that the runtime will use at once; null where it does not say. */
  parallelism: z.number().nullable(),
  /** CPUs the quota allows; null: no quota, or (remote, with a setting `cpuQuota` that says so) not known. */
  cpuQuota: z.number().nullable(),
  /** Of its container; absent where it has none. */
  limits: Limits.optional(),
  image: Image.optional(),
  pools: z.strictObject({ database: z.int(), redis: z.int() }).nullable(),
  settings: z.record(z.string(), z.string()),
});
export type ServerFingerprint = z.infer<typeof ServerFingerprint>;

/** No number without provenance. */
export const Provenance = z.strictObject({
  loadlabVersion: z.string(),
  commandLine: z.array(z.string()),
  /** Commit of the clone, and whether the tree had changes; null outside a git checkout. */
  commit: z.string().nullable(),
  dirty: z.boolean().nullable(),
  startedAt: z.string(),
  host: z.strictObject({
    cpuModel: z.string(),
    cores: z.int(),
    memoryBytes: z.number(),
    kernel: z.string(),
    os: z.string(),
    /** CPUs that a cgroup quota leaves to the lab itself; null: no quota. */
    cpuQuota: z.number().nullable(),
    /** 1-minute load average before the start. */
    loadAverage: z.number().nullable(),
  }),
  environment: z.strictObject({
    name: EnvironmentName,
    /** Why this one was chosen. */
    chosen: z.string(),
    /** How the kernel shares CPU between the components: `session per component (autogroup)`, … */
    schedulingGroups: z.string(),
    /** Absent where no container engine runs the servers. */
    engine: EngineFingerprint.optional(),
    /** Whether the generator ran on the servers' machine; absent in older sets, where it always did. */
    sameHost: z.boolean().optional(),
    servers: z.record(z.string(), ServerFingerprint),
  }),
  generator: z.strictObject({
    name: GeneratorName,
    version: z.string(),
    chosen: z.string(),
    check: CheckMode,
    settings: z.record(z.string(), z.string()),
  }),
  contractSha256: z.string(),
});
export type Provenance = z.infer<typeof Provenance>;

/** What is known before the first slice: saved at once, so that a killed lab loses nothing. */
export const ResultHeader = z.strictObject({
  schemaVersion: z.literal(1),
  id: z.string(),
  provenance: Provenance,
  plan: Plan,
  parity: z.array(ParityResult),
});
export type ResultHeader = z.infer<typeof ResultHeader>;

/** Everything one execution of a study yielded: results/<id>/result.json. */
export const ResultSet = z.strictObject({
  ...ResultHeader.shape,
  status: z.enum(['complete', 'partial']),
  /** Why it is partial; null when complete. */
  statusReason: z.string().nullable(),
  finishedAt: z.string(),
  headline: Headline,
  summaries: z.array(Summary),
  comparisons: z.array(Comparison),
  loadMovements: z.array(LoadMovement),
  slices: z.array(SliceRecord),
  warmUps: z.array(WarmUpRecord),
});
export type ResultSet = z.infer<typeof ResultSet>;
