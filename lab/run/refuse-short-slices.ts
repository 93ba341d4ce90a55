import { shortestSliceMs } from '../load/index.ts';
import { LabError } from '../model/errors.ts';
import type { Generator } from '../model/generator.ts';

/** @throws LabError BAD_ARGUMENT where the generator could not fill a slice, before anything is started for it. */
export function refuseShortSlices(sliceMs: number, name: Generator['name']): void {
  const shortest = shortestSliceMs[name];
  if (sliceMs >= shortest) return;
  const hint = `${name} runs for at least ${shortest} ms: give a longer --duration, fewer --rounds, or --generator builtin`;
  throw new LabError('BAD_ARGUMENT', `slices of ${sliceMs} ms are too short for ${name}`, hint);
}
