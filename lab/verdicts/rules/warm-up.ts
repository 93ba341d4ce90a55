import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';

/** The code may not have been warm when the first rounds began. Each generation starts alike, so it is a note. */
export const warmUp: Rule = {
  name: 'warm-up',
  scope: 'both',
  effects: ['note'],
  looksAt: 'warm-ups of the variant and endpoint, one a generation',
  limit: () => 'every warm-up reaches its requests within its time',
  advice: 'slow endpoint or busy machine: the first rounds may be slower',
  evaluate({ warmUps }) {
    if (warmUps.length === 0) return notEvaluated('there were no warm-ups');
    const cut = warmUps.filter(({ finished }) => !finished).length;
    if (cut === 0) return kept;
    return tripped('note', `${cut} of ${warmUps.length} warm-ups ended before enough requests were made`);
  },
};
