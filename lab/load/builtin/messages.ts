import { z } from 'zod';
import { BuiltinRaw } from '../../model/histogram.ts';
import { CheckMode } from '../../model/plan.ts';
import { Load } from '../../model/study.ts';

/** One run, as the worker needs it. */
export const Job = z.strictObject({
  id: z.string(),
  /** The endpoint's whole URL. */
  url: z.url(),
  load: Load,
  durationMs: z.number().positive(),
  check: CheckMode,
  referenceBody: z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'bytes'),
  expectedCount: z.int().nullable(),
  expectedCache: z.literal('HIT').nullable(),
  stopWhen: z.strictObject({ minDurationMs: z.number(), minRequests: z.number() }).nullable(),
});
export type Job = z.infer<typeof Job>;

/** From the lab to the worker. One run at a time; an abort ends the run in flight, whose answer is then `aborted`. */
export const ToWorker = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('run'), job: Job }),
  z.strictObject({ type: z.literal('abort') }),
]);
export type ToWorker = z.infer<typeof ToWorker>;

/** From the worker to the lab. */
export const FromWorker = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('done'), raw: BuiltinRaw }),
  z.strictObject({ type: z.literal('aborted') }),
  z.strictObject({ type: z.literal('failed'), message: z.string() }),
]);
export type FromWorker = z.infer<typeof FromWorker>;
