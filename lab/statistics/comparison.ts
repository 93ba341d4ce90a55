import { sameWork } from '../model/cells.ts';
import type { Thresholds } from '../model/contract.ts';
import type { Comparison, Reason, Summary, Verdict } from '../model/result.ts';
import { smallestDetectableShift } from './detectable.ts';
import { hodgesLehmannEstimate, walshInterval } from './hodges-lehmann.ts';
import { holmAdjusted } from './holm.ts';
import { signedRankPValue } from './wilcoxon.ts';

/**
 * The throughput of every variant over the baseline's, one row for each endpoint and load, in the order of `summaries`.
 *
 * All rows with a p-value are one family for Holm's correction, withheld ones too: whether one row is ranked then does not hang on
 * what a rule says of another, and the correction errs on the safe side. A row with too few rounds is not tested, so it
 * has no p-value and is not in the family.
 */
export function compareThroughput(
  summaries: readonly Summary[],
  baseline: string,
  thresholds: Thresholds,
): Comparison[] {
  const untested = summaries
    .filter(({ cell }) => cell.variant !== baseline)
    .flatMap((variant) => {
      const base = summaries.find(({ cell }) => cell.variant === baseline && sameWork(cell, variant.cell));
      return base === undefined ? [] : [compareCells(variant, base, thresholds)];
    });
  const adjusted = holmAdjusted(untested.flatMap(({ pValue }) => (pValue === null ? [] : [pValue])));
  let next = 0;
  return untested.map((row) => {
    const adjustedPValue = row.pValue === null ? null : (adjusted[next++] ?? null);
    return conclude({ ...row, adjustedPValue }, thresholds);
  });
}

/** A row and what only matters if it finds no difference. */
interface Row extends Omit<Comparison, 'outcome'> {
  readonly adjustedPValue: number | null;
}

/** ln(variant's rate) − ln(baseline's), for each round in which both served requests. */
export function pairedLogRatios(variant: Summary, baseline: Summary): readonly number[] {
  const served = new Map(
    baseline.requestsPerSecond.perRound.filter(({ value }) => value > 0).map(({ round, value }) => [round, value]),
  );
  return variant.requestsPerSecond.perRound.flatMap(({ round, value }) => {
    const other = served.get(round);
    return other === undefined || value <= 0 ? [] : [Math.log(value) - Math.log(other)];
  });
}

function compareCells(variant: Summary, baseline: Summary, thresholds: Thresholds): Row {
  const { alpha, minRoundsForInterval } = thresholds.statistics;
  const logRatios = pairedLogRatios(variant, baseline);
  const estimate = hodgesLehmannEstimate(logRatios);
  const interval = logRatios.length < minRoundsForInterval ? null : walshInterval(logRatios, alpha);
  const shift = interval === null ? null : smallestDetectableShift(logRatios, alpha);
  return {
    metric: 'throughput',
    endpoint: variant.cell.endpoint,
    load: variant.cell.load,
    variant: variant.cell.variant,
    baseline: baseline.cell.variant,
    pairs: logRatios.length,
    ratio: estimate === null ? null : Math.exp(estimate),
    interval:
      interval === null
        ? null
        : { low: Math.exp(interval.low), high: Math.exp(interval.high), confidence: interval.confidence },
    pValue: interval === null ? null : signedRankPValue(logRatios),
    adjustedPValue: null,
    smallestDetectableRatio: shift === null ? null : Math.exp(shift),
    generatorShare: fasterOf(variant, baseline).generatorShare,
    verdict: worstOf(variant, baseline),
  };
}

/** The outcome, as Comparison defines it; a detection limit is kept only where nothing was detected. */
function conclude(row: Row, { statistics: { alpha } }: Thresholds): Comparison {
  const outcome = outcomeOf(row, alpha);
  return {
    ...row,
    outcome,
    smallestDetectableRatio: outcome === 'no-detectable-difference' ? row.smallestDetectableRatio : null,
  };
}

function outcomeOf({ verdict, interval, adjustedPValue }: Row, alpha: number): Comparison['outcome'] {
  if (verdict.state === 'invalid') return 'withheld';
  if (interval === null) return 'no-interval';
  if (interval.low <= 1 && interval.high >= 1) return 'no-detectable-difference';
  return adjustedPValue !== null && adjustedPValue <= alpha ? 'different' : 'shown-not-ranked';
}

function fasterOf(a: Summary, b: Summary): Summary {
  return (a.requestsPerSecond.mean ?? 0) >= (b.requestsPerSecond.mean ?? 0) ? a : b;
}

/** A comparison is never better than its worst cell; each reason says whose it is. */
function worstOf(variant: Summary, baseline: Summary): Verdict {
  const states = [variant, baseline].map(({ verdicts }) => verdicts.throughput.state);
  const named = (of: (verdict: Verdict) => readonly Reason[]): Reason[] =>
    [variant, baseline].flatMap(({ cell, verdicts }) =>
      of(verdicts.throughput).map((reason) => ({ ...reason, seen: `${cell.variant}: ${reason.seen}` })),
    );
  return {
    state: states.includes('invalid') ? 'invalid' : states.includes('suspect') ? 'suspect' : 'valid',
    reasons: named((verdict) => verdict.reasons),
    notes: named((verdict) => verdict.notes),
  };
}
