/** The middle value, or the midpoint of the middle two; null without values. */
export function median(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return lower === undefined || upper === undefined ? null : (lower + upper) / 2;
}

/** The smallest value; null without values. */
export function minimum(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.min(...values);
}

/** The largest value; null without values. */
export function maximum(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}

/** Sample standard deviation (n − 1) over the mean; null below two values, or where the mean is 0. */
export function coefficientOfVariation(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = values.reduce((total, value) => total + value, 0) / values.length;
  if (mean === 0) return null;
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1)) / mean;
}
