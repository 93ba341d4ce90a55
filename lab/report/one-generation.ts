import type { ResultSet } from '../model/result.ts';

/** The rule whose notes become one sentence, whatever the number of rows. */
export const oneGenerationRule = 'one-generation';

/** What an interval over one life of the processes does not hold; null where there were more, or no interval. */
export function oneGenerationSentence({ summaries }: ResultSet): string | null {
  const isNoted = summaries.some(({ verdicts }) =>
    verdicts.throughput.notes.some(({ rule }) => rule === oneGenerationRule),
  );
  if (!isNoted) return null;
  return 'All rounds are of one life of each API: how much one start differs from the next was not seen, and no interval holds it.';
}
