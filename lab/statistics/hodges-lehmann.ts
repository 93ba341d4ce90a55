/**
 * The Hodges–Lehmann estimate of a shift, and the exact interval that belongs to the signed-rank test.
 * Sources: Hodges and Lehmann (1963), Ann. Math. Statist. 34:598–611; Tukey (1949) for the interval's order statistics;
 * Hollander, Wolfe and Chicken (2014), Nonparametric Statistical Methods, sections 3.2 and 3.3.
 */
import { median } from './order-statistics.ts';
import { signedRankCumulative } from './wilcoxon.ts';

/** An interval between two order statistics of the Walsh averages. */
export interface WalshInterval {
  readonly low: number;
  readonly high: number;
  /** Attained: the distribution is discrete, so this is at least what was asked for. */
  readonly confidence: number;
  /** 1-based places of `low` and `high` among the sorted Walsh averages. */
  readonly lowRank: number;
  readonly highRank: number;
}

/** All means of two values, each value with itself included, in ascending order: n(n+1)/2 of them. */
export function walshAverages(values: readonly number[]): readonly number[] {
  return values
    .flatMap((value, index) => values.slice(index).map((other) => (value + other) / 2))
    .sort((a, b) => a - b);
}

/** The median of the Walsh averages; null without values. */
export function hodgesLehmannEstimate(values: readonly number[]): number | null {
  return median(walshAverages(values));
}

/**
 * Which Walsh averages bound the interval: the largest k with 2·P(T < k) ≤ alpha, so that [W(k), W(M+1−k)] holds the
 * centre of a symmetric distribution with probability 1 − 2·P(T < k) ≥ 1 − alpha. n = 10, alpha = 0.05: the 9th and 47th of 55.
 *
 * @returns null where even the whole range is not confident enough (n ≤ 5 at alpha = 0.05)
 */
export function intervalRanks(
  n: number,
  alpha: number,
): { readonly lowRank: number; readonly highRank: number; readonly confidence: number } | null {
  const cumulative = signedRankCumulative(n);
  const lowRank = cumulative.filter((probability) => 2 * probability <= alpha).length;
  const tail = cumulative[lowRank - 1];
  if (tail === undefined) return null;
  return { lowRank, highRank: (n * (n + 1)) / 2 + 1 - lowRank, confidence: 1 - 2 * tail };
}

/**
 * The exact interval for the centre of `values`. Ties only make it more confident than it says.
 *
 * @param alpha 1 − the confidence asked for
 */
export function walshInterval(values: readonly number[], alpha: number): WalshInterval | null {
  const ranks = intervalRanks(values.length, alpha);
  if (ranks === null) return null;
  const averages = walshAverages(values);
  const low = averages[ranks.lowRank - 1];
  const high = averages[ranks.highRank - 1];
  return low === undefined || high === undefined ? null : { low, high, ...ranks };
}
