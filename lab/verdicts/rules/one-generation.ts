import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';
import { count } from '../wording.ts';

/**
 * Where servers cannot be restarted, every round is of the same life of the processes. What differs from one start to the next is
 * then in no round, so the interval does not hold it: worth knowing, and no bias. With too few rounds there is no interval to doubt.
 */
export const oneGeneration: Rule = {
  name: 'one-generation',
  scope: 'throughput',
  effects: ['note'],
  looksAt: 'lives of the API processes, where there are rounds enough for an interval',
  limit: () => 'more than one life of the processes',
  advice: 'restart the APIs, run again, and see whether the ratio moves',
  evaluate({ records, figures, thresholds }) {
    if (figures.rounds < thresholds.statistics.minRoundsForInterval) return notEvaluated('there is no interval');
    const lives = new Set(records.map(({ slice }) => slice.generation));
    return lives.size > 1 ? kept : tripped('note', `${count(figures.rounds)} rounds of one life of the process`);
  },
};
