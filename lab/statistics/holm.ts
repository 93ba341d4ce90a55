/**
 * Holm's step-down adjustment: rejecting where the adjusted value is ≤ alpha keeps the chance of any false rejection in
 * the whole family at alpha or below, however the tests depend on each other.
 * Source: Holm (1979), Scandinavian Journal of Statistics 6:65–70. The i-th smallest of m p-values is multiplied by
 * m − i + 1, and no adjusted value is below one before it.
 *
 * @returns adjusted p-values in the order of `pValues`
 */
export function holmAdjusted(pValues: readonly number[]): readonly number[] {
  const ascending = pValues.map((pValue, index) => ({ pValue, index })).sort((a, b) => a.pValue - b.pValue);
  const adjusted = new Array<number>(pValues.length).fill(1);
  let largestSoFar = 0;
  for (const [position, { pValue, index }] of ascending.entries()) {
    largestSoFar = Math.max(largestSoFar, Math.min(1, (pValues.length - position) * pValue));
    adjusted[index] = largestSoFar;
  }
  return adjusted;
}
