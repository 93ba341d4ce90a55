import { LabError } from '../model/errors.ts';
import { mergeHistograms, type BuiltinRaw } from '../model/histogram.ts';
import type { MergedPercentiles } from '../statistics/index.ts';

/** Reads raw files of the built-in generator. Rejects with LabError BAD_RESULT_SET when one is missing or damaged. */
export type ReadRaws = (raws: readonly string[]) => Promise<readonly BuiltinRaw[]>;

/** Percentiles of a cell's merged histograms, or the raw files because of which there are none. */
export type Merge =
  | { readonly merged: MergedPercentiles; readonly unreadable: readonly [] }
  | { readonly merged: 'unreadable'; readonly unreadable: readonly string[] };

/** Merges the histograms of a cell's rounds. A damaged file costs the cell its percentiles, and nothing else of the set. */
export async function mergeRaws(raws: readonly string[], readRaws: ReadRaws): Promise<Merge> {
  const merged = await tryMerge(raws, readRaws);
  if (merged !== null) return { merged, unreadable: [] };
  const unreadable: string[] = [];
  for (const raw of raws) if ((await tryMerge([raw], readRaws)) === null) unreadable.push(raw);
  return { merged: 'unreadable', unreadable };
}

async function tryMerge(raws: readonly string[], readRaws: ReadRaws): Promise<MergedPercentiles | null> {
  try {
    const read = await readRaws(raws);
    return {
      latencyMs: mergeHistograms(read.map((raw) => raw.latency)),
      timeToFirstByteMs: mergeHistograms(read.map((raw) => raw.timeToFirstByte)),
    };
  } catch (error) {
    if (error instanceof LabError && error.code === 'BAD_RESULT_SET') return null;
    throw error;
  }
}
