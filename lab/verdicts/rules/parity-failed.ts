import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';

/** Same work or no race: where the responses differ, nothing was loaded and there is nothing to compare. */
export const parityFailed: Rule = {
  name: 'parity-failed',
  scope: 'both',
  effects: ['invalid'],
  looksAt: 'the parity gate: status, headers and body of every variant before any load',
  limit: () => 'the same status, headers and body bytes from every variant',
  advice: 'make the stacks answer alike (docs/api.md), then run again',
  evaluate({ parity }) {
    if (parity === null) return notEvaluated('there was no parity gate');
    if (parity.passed) return kept;
    return tripped('invalid', `not loaded: ${parity.difference ?? 'the responses differ'}`);
  },
};
