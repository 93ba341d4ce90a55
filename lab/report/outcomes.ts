import type { Comparison, ResultSet, Verdict } from '../model/result.ts';
import { formatNumber } from './format-number.ts';
import { rowName } from './names.ts';
import type { Style } from './table.ts';

type Outcome = Comparison['outcome'];

interface OutcomeWords {
  readonly mark: string;
  /** For the legend. */
  readonly meaning: string;
  readonly ratioStyle: Style;
}

/** How each outcome is marked, and what the mark means. */
export const outcomes: Readonly<Record<Outcome, OutcomeWords>> = {
  different: {
    mark: '●',
    meaning: 'ranked: the interval excludes 1, also after Holm’s correction over all rows',
    ratioStyle: 'strong',
  },
  'shown-not-ranked': {
    mark: '○',
    meaning: 'not ranked: the interval excludes 1, but not after Holm’s correction over all rows',
    ratioStyle: 'plain',
  },
  'no-detectable-difference': {
    mark: '≈',
    meaning: 'no detectable difference: the interval includes 1',
    ratioStyle: 'dim',
  },
  'no-interval': { mark: '–', meaning: 'not ranked: too few rounds for an interval', ratioStyle: 'plain' },
  withheld: { mark: '✕', meaning: 'withheld: the verdict is invalid', ratioStyle: 'bad' },
};

export const verdictStyles: Readonly<Record<Verdict['state'], Style>> = {
  valid: 'good',
  suspect: 'warn',
  invalid: 'bad',
};

/** The marks that occur in a set, with their meaning, in the order of the table above. */
export function legendOf(set: ResultSet): { readonly mark: string; readonly meaning: string }[] {
  const occurring = new Set(set.comparisons.map((comparison) => comparison.outcome));
  return Object.entries(outcomes)
    .filter(([outcome]) => occurring.has(outcome as Outcome))
    .map(([, { mark, meaning }]) => ({ mark, meaning }));
}

/** What a row without a detectable difference would have shown: one line each. */
export function detectableLines(set: ResultSet): string[] {
  return set.comparisons.flatMap((comparison) => {
    const { outcome, smallestDetectableRatio: smallest } = comparison;
    if (outcome !== 'no-detectable-difference' || smallest === null) return [];
    return [`${rowName(comparison)}: a ratio of ${formatNumber(smallest, 3)} would have been seen`];
  });
}
