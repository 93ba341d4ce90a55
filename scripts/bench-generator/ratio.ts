/** Median and extremes of a figure over the rounds; the median of an even number is the mean of the middle two. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** null without values. */
export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.toSorted((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  const lower = sorted[Math.floor((sorted.length - 1) / 2)];
  const upper = sorted[Math.floor(sorted.length / 2)];
  if (min === undefined || max === undefined || lower === undefined || upper === undefined) return null;
  return { median: (lower + upper) / 2, min, max };
}

/** Ratios round by round: both sides ran next to each other, so what the machine did to one it did to the other. */
export function pairedRatios(above: readonly (number | null)[], below: readonly (number | null)[]): number[] {
  return above.flatMap((value, round) => {
    const other = below[round];
    return value === null || other === null || other === undefined || other === 0 ? [] : [value / other];
  });
}
