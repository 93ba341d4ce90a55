import type { Endpoint } from './contract.ts';
import type { Environment } from './environment.ts';
import type { Measurement } from './measurement.ts';
import type { CheckMode, GeneratorName } from './plan.ts';
import type { Load } from './study.ts';

/** One run to be made. */
export interface RunRequest {
  /** The slice's or warm-up's id; names the raw file. */
  readonly id: string;
  readonly baseUrl: string;
  /** The variant under load: STACK in k6's environment. */
  readonly stack: string;
  readonly endpoint: Endpoint;
  readonly load: Load;
  readonly durationMs: number;
  readonly check: CheckMode;
  /** The bytes that the parity gate validated in full. */
  readonly referenceBody: Uint8Array;
  /** X-Cache that every response must carry; null where the endpoint has no cache. */
  readonly expectedCache: 'HIT' | null;
  /** Absolute path of the folder for raw files. Measurement.raw is `raw/<file>`. */
  readonly rawDir: string;
  /** For warm-ups: end the run early, at the first moment when both are reached; the window is then shorter. */
  readonly stopWhen?: { readonly minDurationMs: number; readonly minRequests: number };
  /** For a process that the run starts: Environment.endWithLab. Without it, such a process ends by itself with its load. */
  readonly endWithLab?: Environment['endWithLab'];
}

/** CPU that the generator spent on a run, when it alone can tell (a process that has ended). */
export interface GeneratorRun {
  readonly measurement: Measurement;
  /** null: sample `pid()` instead. */
  readonly cpu: {
    readonly userMs: number;
    readonly systemMs: number;
    readonly peakResidentBytes: number | null;
  } | null;
}

/** The small interface behind which k6 and the built-in driver stand. */
export interface Generator {
  readonly name: GeneratorName;
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Whether its runs end with requests in flight that are cut: the servers may still work for these. */
  readonly cutsRequests: boolean;
  /** The generator's own process while it lives across runs; null for one process a run. */
  pid(): number | null;
  /**
   * Makes one run. Rejects with a LabError GENERATOR_FAILED when the generator failed (no summary, script error, died);
   * failing responses are not errors but a measurement that says so. On abort it ends the load and rejects with the signal's reason.
   */
  run(request: RunRequest, signal: AbortSignal): Promise<GeneratorRun>;
  /** Ends its processes. */
  close(): Promise<void>;
}
