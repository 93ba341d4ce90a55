/**
 * The Wilcoxon signed-rank test, exact.
 * Sources: Wilcoxon (1945), Biometrics Bulletin 1:80–83; Pratt (1959), JASA 54:655–667 (zeros keep their ranks);
 * Lehmann (1975), Nonparametrics, section 3.2 (mid-ranks and their conditional distribution).
 */

/**
 * P(T = w) for w = 0 … Σ ranks, where T sums a random half of `ranks`: each is in or out with probability 1/2, by itself.
 * One pass a rank over the sums seen so far. Every value is a whole number over 2^n, so it is exact in a double up to
 * 53 ranks, and right to rounding above.
 *
 * @param ranks whole numbers ≥ 0
 */
export function rankSumDistribution(ranks: readonly number[]): readonly number[] {
  let probabilities = [1];
  for (const rank of ranks) {
    const next = new Array<number>(probabilities.length + rank).fill(0);
    for (const [sum, probability] of probabilities.entries()) {
      next[sum] = (next[sum] ?? 0) + probability / 2;
      next[sum + rank] = (next[sum + rank] ?? 0) + probability / 2;
    }
    probabilities = next;
  }
  return probabilities;
}

/** P(T ≤ w) for w = 0 … n(n+1)/2: the null distribution of the signed-rank sum of n differences without ties. */
export function signedRankCumulative(n: number): readonly number[] {
  let cumulative = 0;
  return rankSumDistribution(Array.from({ length: n }, (_, index) => index + 1)).map(
    (probability) => (cumulative += probability),
  );
}

/**
 * Twice the mid-rank of each |value|, from 1 for the smallest: ties share the mean of their ranks, and doubling keeps
 * that mean a whole number.
 */
export function doubledMidRanks(values: readonly number[]): readonly number[] {
  const magnitudes = values.map(Math.abs);
  return magnitudes.map((magnitude) => {
    const smaller = magnitudes.filter((other) => other < magnitude).length;
    const equal = magnitudes.filter((other) => other === magnitude).length;
    return 2 * smaller + equal + 1;
  });
}

/**
 * Exact two-sided p-value that the differences are symmetric about 0.
 *
 * Ties get mid-ranks and zeros stay in the ranking but in neither sum (Pratt: dropping them first can turn a sample that
 * is not significant into one that is). The distribution is the conditional one: all 2^m sign patterns of the m differences that are
 * not zero, given their ranks. Two-sided: twice the smaller tail, at most 1.
 *
 * @param differences finite numbers, e.g. paired log ratios
 * @returns 1 when every difference is zero; null without any
 */
export function signedRankPValue(differences: readonly number[]): number | null {
  if (differences.length === 0) return null;
  const ranks = doubledMidRanks(differences);
  const nonZero = ranks.filter((_, index) => differences[index] !== 0);
  const positive = sum(ranks.filter((_, index) => (differences[index] ?? 0) > 0));
  const smallerSum = Math.min(positive, sum(nonZero) - positive);
  const tail = sum(rankSumDistribution(nonZero).slice(0, smallerSum + 1));
  return Math.min(1, 2 * tail);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
