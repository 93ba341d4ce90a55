import type { ResultSet } from '../model/result.ts';
import { formatDuration, formatNumber } from './format-number.ts';

/** The rule whose notes become one sentence, whatever the number of rows. */
export const warmUpRule = 'warm-up';

/** Which endpoints' warm-ups were cut, in one sentence; null where none was. */
export function warmUpSentence({ summaries, plan }: ResultSet): string | null {
  const endpoints = new Set(
    summaries
      .filter(({ verdicts }) => verdicts.throughput.notes.some(({ rule }) => rule === warmUpRule))
      .map(({ cell }) => cell.endpoint),
  );
  if (endpoints.size === 0) return null;
  const { maxDurationMs, minRequests } = plan.warmUpLimits;
  const limits = `${formatDuration(maxDurationMs)} before ${formatNumber(minRequests, 0)} requests`;
  return `Warm-ups of ${[...endpoints].join(', ')} ended at ${limits}: the first rounds there may be slower.`;
}
