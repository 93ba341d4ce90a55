import { z } from 'zod';
import { SliceRecord, WarmUpRecord } from '../model/measurement.ts';

/** One line of slices.jsonl. */
export const RecordLine = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('slice'), ...SliceRecord.shape }),
  z.strictObject({ kind: z.literal('warm-up'), ...WarmUpRecord.shape }),
]);
export type RecordLine = z.infer<typeof RecordLine>;
