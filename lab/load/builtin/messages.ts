import { z } from 'zod';
import { BuiltinRaw } from '../../model/histogram.ts';
import { CheckMode } from '../../model/plan.ts';
import { Load } from '../../model/study.ts';

/** Bytes travel as base64. */
const bytes = z.codec(
  z.base64(),
  z.custom<Uint8Array>((value) => value instanceof Uint8Array, 'bytes'),
  {
    decode: (text) => new Uint8Array(Buffer.from(text, 'base64')),
    encode: (value) => Buffer.from(value).toString('base64'),
  },
);

/** One run, as the worker needs it. */
export const Job = z.strictObject({
  id: z.string(),
  /** The endpoint's whole URL. */
  url: z.url(),
  load: Load,
  durationMs: z.number().positive(),
  check: CheckMode,
  referenceBody: bytes,
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

/** A message as the line of text that carries it, its line break included. */
export function lineOf<T>(shape: z.ZodType<T>, message: T): string {
  return `${JSON.stringify(z.encode(shape, message))}\n`;
}

/** The message that a line carries. Throws a SyntaxError or a ZodError when it carries none. */
export function messageIn<T>(shape: z.ZodType<T>, line: string): T {
  return shape.parse(JSON.parse(line));
}
