import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';
import { thresholdExpression, thresholdOutcome } from '../thresholds.ts';
import { count, percent } from '../wording.ts';

/**
 * Requests that hang until the drain's limit cuts them end in no window, so no rate of failures shows them. They held their virtual
 * users, so the others had the servers to themselves: suspect, and invalid where with them too many have failed.
 */
export const unfinishedRequests: Rule = {
  name: 'unfinished-requests',
  scope: 'both',
  effects: ['invalid', 'suspect'],
  looksAt: 'requests still in flight when the drain after the window was over',
  limit: (thresholds) => `none; invalid unless, with them, ${thresholdExpression('failed', thresholds)}`,
  advice: "read the stack's log: which requests hang, and on what?",
  evaluate({ figures, thresholds }) {
    if (figures.rounds === 0) return notEvaluated('no round was measured');
    const { requests, failedRequests, unfinishedRequests: unfinished } = figures;
    if (unfinished === 0) return kept;
    const failedRate = (failedRequests + unfinished) / (requests + unfinished);
    const { passed } = thresholdOutcome('failed', { ...figures, failedRate }, thresholds);
    return tripped(
      passed === true ? 'suspect' : 'invalid',
      `${count(unfinished)} requests never ended (${percent(failedRate)} failed with them)`,
    );
  },
};
