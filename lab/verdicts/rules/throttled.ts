import type { SliceRecord } from '../../model/measurement.ts';
import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';

/** Below this part of a run, it is the odd period that a thread filled by chance. */
const leastPart = 0.01;

/**
 * A component was held back by its CPU quota: the figures are of that quota, not of the machine. Whoever sets a quota wants just
 * that, so it is a note.
 */
export const throttled: Rule = {
  name: 'throttled',
  scope: 'both',
  effects: ['note'],
  looksAt: 'time that a CPU quota held the API, PostgreSQL, Redis or the generator back',
  limit: () => `less than ${leastPart * 100} % of the time`,
  advice: 'the figures are of this quota: raise it to see what the machine can do',
  evaluate({ figures, records }) {
    const components = [`api:${figures.cell.variant}`, 'postgres', 'redis', 'generator'];
    const parts = components.flatMap((component) => partOf(component, records) ?? []);
    if (parts.length === 0) return notEvaluated('nobody says how long a quota held a component back');
    const held = parts.filter(({ part }) => part >= leastPart);
    if (held.length === 0) return kept;
    return tripped(
      'note',
      held
        .map(({ component, part }) => `${component} was held back for ${(part * 100).toFixed(0)} % of the time`)
        .join(', '),
    );
  },
};

/** Throttled time over run time. Threads are held back one by one, so it may exceed 1. Null where no run tells. */
function partOf(component: string, records: readonly SliceRecord[]): { component: string; part: number } | null {
  let throttledMs = 0;
  let elapsedMs = 0;
  for (const { sample } of records) {
    const told = sample?.components[component]?.throttledMs;
    if (sample === null || told === null || told === undefined) continue;
    throttledMs += told;
    elapsedMs += sample.elapsedMs;
  }
  return elapsedMs === 0 ? null : { component, part: throttledMs / elapsedMs };
}
