import type { SliceRecord, WarmUpRecord } from './measurement.ts';
import type { Slice, WarmUp } from './plan.ts';
import type { ParityResult } from './result.ts';

/** What the pipeline tells while it works, in order. Who listens (progress, log) draws its own conclusions. */
export type LabEvent =
  /** One plain line about the environment: a build, a start, an address. */
  | { readonly kind: 'environment'; readonly line: string }
  | { readonly kind: 'parity'; readonly result: ParityResult }
  /** The APIs are about to be restarted for this generation (the first start counts as one). */
  | { readonly kind: 'restart-started'; readonly generation: number }
  | { readonly kind: 'restart-ended'; readonly generation: number }
  | { readonly kind: 'warm-up-started'; readonly warmUp: WarmUp }
  | { readonly kind: 'warm-up-ended'; readonly record: WarmUpRecord }
  | { readonly kind: 'slice-started'; readonly slice: Slice }
  | { readonly kind: 'slice-ended'; readonly record: SliceRecord }
  /** The result set is on disk. */
  | { readonly kind: 'saved'; readonly folder: string; readonly status: 'complete' | 'partial' }
  | { readonly kind: 'warning'; readonly line: string };
