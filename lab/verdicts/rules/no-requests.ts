import { wasLoaded } from '../evidence.ts';
import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';

/**
 * Absent is not zero, and never fast. Without any request the cell is invalid. A round without one is in no pair, so the worst
 * rounds of a variant that hangs would drop out of its comparison: what is left is suspect.
 */
export const noRequests: Rule = {
  name: 'no-requests',
  scope: 'both',
  effects: ['invalid', 'suspect'],
  looksAt: 'requests of the cell and of each measured round',
  limit: () => 'at least one request in every measured round',
  advice: "read the stack's log: did it hang, or refuse connections?",
  evaluate(evidence) {
    if (!wasLoaded(evidence)) return notEvaluated('the endpoint was not loaded');
    const { figures } = evidence;
    if (figures.requests === 0) return tripped('invalid', `0 requests in ${figures.rounds} measured rounds`);
    const silent = figures.requestsPerSecond.perRound.filter(({ value }) => value === 0).length;
    return silent === 0 ? kept : tripped('suspect', `0 requests in ${silent} of ${figures.rounds} measured rounds`);
  },
};
