import type { Comparison, LoadMovement } from '../model/result.ts';

/**
 * How each ratio moved from the smallest load to the largest: one row for each endpoint and variant that was compared under at
 * least two loads. A withheld ratio is null here too.
 */
export function loadMovements(comparisons: readonly Comparison[]): LoadMovement[] {
  const groups = new Map<string, Comparison[]>();
  for (const comparison of comparisons) {
    const key = `${comparison.endpoint} ${comparison.variant}`;
    groups.set(key, [...(groups.get(key) ?? []), comparison]);
  }
  return [...groups.values()].flatMap((group) => {
    const byLoad = [...group].sort((a, b) => a.load.vus - b.load.vus);
    const from = byLoad.at(0);
    const to = byLoad.at(-1);
    return from === undefined || to === undefined || from === to ? [] : [movement(from, to)];
  });
}

function movement(from: Comparison, to: Comparison): LoadMovement {
  const before = shownRatio(from);
  const after = shownRatio(to);
  return {
    endpoint: from.endpoint,
    variant: from.variant,
    baseline: from.baseline,
    from: { load: from.load, ratio: before },
    to: { load: to.load, ratio: after },
    ratioOfRatios: before === null || after === null ? null : after / before,
  };
}

/** The ratio, unless the comparison is withheld. */
export function shownRatio(comparison: Comparison): number | null {
  return comparison.outcome === 'withheld' ? null : comparison.ratio;
}
