import { joined, turnOrder, type LoadSample } from '../load-sample.ts';
import type { Contestant, Run } from './contestant.ts';

/** How long one contestant runs before it is the other's turn. */
const turnSeconds = 0.25;

/**
 * Runs two contestants whose processes live on, for `run.seconds` each, in short turns.
 * @returns what each did, in the order of the contestants
 */
export async function runInTurns(
  [first, second]: readonly [Contestant, Contestant],
  run: Run,
): Promise<readonly [LoadSample, LoadSample]> {
  const samples: [LoadSample[], LoadSample[]] = [[], []];
  for (const isFirst of turnOrder(run.seconds / turnSeconds)) {
    const sample = await (isFirst ? first : second).run({ ...run, seconds: turnSeconds });
    samples[isFirst ? 0 : 1].push(sample);
  }
  return [joined(samples[0]), joined(samples[1])];
}
