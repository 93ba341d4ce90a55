import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';
import { thresholdExpression, thresholdOutcome } from '../thresholds.ts';
import { count, percent } from '../wording.ts';

/** An error answers faster than the work would: past the threshold the rate is of something else. */
export const failedRequests: Rule = {
  name: 'failed-requests',
  scope: 'both',
  effects: ['invalid', 'note'],
  looksAt: 'requests without a response, or with a status other than 200',
  limit: (thresholds) => `${thresholdExpression('failed', thresholds)}; a note above 0`,
  advice: "see `errors` in result.json, then the stack's log",
  evaluate({ figures, thresholds }) {
    const { passed, value } = thresholdOutcome('failed', figures, thresholds);
    if (passed === null || value === null) return notEvaluated('there were no requests');
    if (figures.failedRequests === 0) return kept;
    return tripped(
      passed ? 'note' : 'invalid',
      `${count(figures.failedRequests)} of ${count(figures.requests)} requests failed (${percent(value)})`,
    );
  },
};
