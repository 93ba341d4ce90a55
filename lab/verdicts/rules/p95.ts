import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';
import { thresholdExpression, thresholdOutcome } from '../thresholds.ts';
import { count } from '../wording.ts';

/**
 * The published protocol's latency threshold. Suspect, not invalid: the figure is a true measurement of a stack under a load that it
 * does not carry acceptably, and hiding it would hide the finding. Throughput is untouched: requests were served.
 */
export const p95: Rule = {
  name: 'p95',
  scope: 'latency',
  effects: ['suspect'],
  looksAt: 'p95 of the whole request',
  limit: (thresholds) => thresholdExpression('p95', thresholds),
  advice: 'lower the load: the stack does not carry this one acceptably',
  evaluate({ figures, thresholds }) {
    const { passed, value } = thresholdOutcome('p95', figures, thresholds);
    if (passed === null || value === null) return notEvaluated('there is no p95');
    return passed ? kept : tripped('suspect', `p95 is ${count(value)} ms`);
  },
};
