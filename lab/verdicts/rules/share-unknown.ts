import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';

/**
 * On one machine a costly generator pulls every ratio towards 1. Where its share is not known, neither is how far: the direction
 * holds, the ratio is a lower bound. On another machine it takes nothing from the servers.
 */
export const shareUnknown: Rule = {
  name: 'share-unknown',
  scope: 'throughput',
  effects: ['suspect'],
  looksAt: 'the generator’s share of the CPU (s), where it ran on the servers’ machine',
  limit: () => 'the CPU of generator, API, PostgreSQL and Redis is known',
  advice: 'mount the Docker socket, or load from another machine (docs/remote.md)',
  evaluate({ figures, sameHost }) {
    if (!sameHost) return notEvaluated('the generator ran on another machine');
    if (figures.requests === 0) return notEvaluated('there were no requests');
    if (figures.generatorShare !== null) return kept;
    const unread = Object.entries(figures.cpuMsPerRequest).flatMap(([name, cpuMs]) => (cpuMs === null ? [name] : []));
    if (unread.length === 0) return notEvaluated('nothing used any CPU');
    return tripped('suspect', `s is not known: no CPU time of ${unread.join(', ')}`);
  },
};
