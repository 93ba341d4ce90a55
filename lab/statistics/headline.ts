import type { SliceRecord } from '../model/measurement.ts';
import type { Comparison, Headline, Summary } from '../model/result.ts';
import { maximum, minimum } from './order-statistics.ts';
import { shownRatio } from './movement.ts';

/**
 * The set in a few figures. Requests and failures count every cell, and a request that was cut in flight has failed; the range of ratios leaves out what is withheld, and the highest
 * p95 does not: leaving out an invalid cell would flatter the set.
 *
 * @param plannedRuns slices of the plan
 */
export function headline(
  summaries: readonly Summary[],
  comparisons: readonly Comparison[],
  records: readonly SliceRecord[],
  plannedRuns: number,
): Headline {
  const total = (of: (summary: Summary) => number): number => summaries.reduce((sum, summary) => sum + of(summary), 0);
  const requests = total((summary) => summary.requests);
  const unfinished = total((summary) => summary.unfinishedRequests);
  const failedRequests = unfinished + total((summary) => summary.failedRequests);
  const passed = total((summary) => summary.checksPassed);
  const checks = passed + total((summary) => summary.checksFailed);
  const ratios = comparisons.map(shownRatio).filter((ratio) => ratio !== null);
  const min = minimum(ratios);
  const max = maximum(ratios);
  return {
    requests,
    runs: records.filter(({ measurement }) => measurement !== null).length,
    plannedRuns,
    failedRequests,
    failedRate: requests + unfinished === 0 ? null : failedRequests / (requests + unfinished),
    checksRate: checks === 0 ? null : passed / checks,
    ratioRange: min === null || max === null ? null : { min, max },
    highestP95: highestP95(summaries),
  };
}

function highestP95(summaries: readonly Summary[]): Headline['highestP95'] {
  let highest: Headline['highestP95'] = null;
  for (const { cell, latencyMs } of summaries) {
    if (latencyMs.p95 !== null && (highest === null || latencyMs.p95 > highest.valueMs)) {
      highest = { valueMs: latencyMs.p95, cell };
    }
  }
  return highest;
}
