import { wasLoaded } from '../evidence.ts';
import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';
import { failedByItself } from './run-failed.ts';

/**
 * Rounds that were never run, because the user or a failure elsewhere ended the set. Which rounds are missing has nothing to
 * do with how this cell did in them, and the interval has paid for their number: a note.
 */
export const incomplete: Rule = {
  name: 'incomplete',
  scope: 'both',
  effects: ['note'],
  looksAt: 'rounds that were planned and not run',
  limit: () => 'every planned round',
  advice: 'let the study run to its end for the full precision',
  evaluate(evidence) {
    if (!wasLoaded(evidence)) return notEvaluated('the endpoint was not loaded');
    const { figures, records } = evidence;
    const run = figures.rounds + records.filter(failedByItself).length;
    if (run >= figures.plannedRounds) return kept;
    return tripped('note', `${run} of ${figures.plannedRounds} planned rounds were run`);
  },
};
