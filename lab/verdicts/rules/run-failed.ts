import type { ErrorCode } from '../../model/errors.ts';
import type { SliceRecord } from '../../model/measurement.ts';
import { kept, tripped, type Rule } from '../rule.ts';

const interrupted: ErrorCode = 'INTERRUPTED';

/** A run that failed by itself; one that the user ended is merely missing. */
export function failedByItself({ failure }: SliceRecord): boolean {
  return failure !== null && failure.code !== interrupted;
}

/**
 * A failed run has no number. When all failed there is none for the cell; when some did, the others are real, but what broke a run
 * (a server that died, a generator out of files) tends to strike when the stack does badly, so the rest flatters it.
 */
export const runFailed: Rule = {
  name: 'run-failed',
  scope: 'both',
  effects: ['invalid', 'suspect'],
  looksAt: 'runs that ended in a failure instead of a measurement',
  limit: () => 'no failed run',
  advice: 'see `failure` of its slices in result.json, then run again',
  evaluate({ records }) {
    const failed = records.filter(failedByItself);
    if (failed.length === 0) return kept;
    const codes = [...new Set(failed.map(({ failure }) => failure?.code))].join(', ');
    const anyMeasured = records.some(({ measurement }) => measurement !== null);
    return tripped(anyMeasured ? 'suspect' : 'invalid', `${failed.length} of ${records.length} runs failed: ${codes}`);
  },
};
