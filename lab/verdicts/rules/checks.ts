import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';
import { thresholdExpression, thresholdOutcome } from '../thresholds.ts';
import { count, percent } from '../wording.ts';

/** A response of status 200 with the wrong body, or from the database instead of the cache, is not the work that was asked for. */
export const checks: Rule = {
  name: 'checks',
  scope: 'both',
  effects: ['invalid', 'note'],
  looksAt: 'checks of status, body and X-Cache on every response',
  limit: (thresholds) => `${thresholdExpression('checks', thresholds)}; a note below 100 %`,
  advice: 'see `failedCheckExamples` in result.json',
  evaluate({ figures, thresholds }) {
    const { passed, value } = thresholdOutcome('checks', figures, thresholds);
    if (passed === null || value === null) return notEvaluated('no checks were made');
    if (figures.checksFailed === 0) return kept;
    const made = figures.checksPassed + figures.checksFailed;
    return tripped(
      passed ? 'note' : 'invalid',
      `${count(figures.checksFailed)} of ${count(made)} checks failed (${percent(1 - value)})`,
    );
  },
};
