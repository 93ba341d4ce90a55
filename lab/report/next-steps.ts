import type { ResultSet } from '../model/result.ts';

export interface NextStep {
  readonly what: string;
  /** A command, or a file to open. */
  readonly how: string;
}

/**
 * What to do with a set, most useful first.
 * @param location the set's folder as the user would type it; undefined: where the lab puts it.
 */
export function nextSteps(set: ResultSet, location: string | undefined): NextStep[] {
  const { firstLook, rounds } = set.plan;
  const wantsMore = firstLook || rounds === 1 || set.status === 'partial';
  return [
    ...(wantsMore ? [{ what: 'The whole study', how: 'make bench' }] : []),
    ...(rounds === 1 ? [] : [{ what: 'The published protocol', how: 'make published' }]),
    { what: 'This report again', how: `npx loadlab review ${location ?? set.id}` },
    { what: 'Every figure, reason', how: `${location ?? `results/${set.id}`}/report.md` },
  ];
}
