import type { ResultSet } from '../model/result.ts';
import { decimalsFor, formatNumber, formatRate, notAvailable } from './format-number.ts';
import type { Line } from './line.ts';
import { cellName, ratioName, variantName } from './names.ts';

/** The figures of the whole set. */
export function headlineOf(set: ResultSet): Line[] {
  const { headline } = set;
  const runs = `${formatNumber(headline.runs, 0)} of ${formatNumber(headline.plannedRuns, 0)} runs`;
  const failed = `${formatNumber(headline.failedRequests, 0)} failed (${formatRate(headline.failedRate)})`;
  return [
    { label: 'Requests', text: `${formatNumber(headline.requests, 0)} in ${runs}, ${failed}` },
    {
      label: 'Checks',
      text: headline.checksRate === null ? notAvailable : `${formatRate(headline.checksRate)} passed`,
    },
    ...ratioLine(set),
    { label: 'Highest p95', text: highestP95(set) },
    { label: 'Thresholds', text: thresholdsText(set) },
  ];
}

function ratioLine(set: ResultSet): Line[] {
  if (set.comparisons.length === 0) return [];
  const { ratioRange } = set.headline;
  const withheld = set.comparisons.filter((comparison) => comparison.outcome === 'withheld').length;
  const left = withheld === 0 ? '' : `; ${withheld} withheld`;
  const [min, max] = [formatNumber(ratioRange?.min ?? null, 2), formatNumber(ratioRange?.max ?? null, 2)];
  const range = min === max ? min : `${min}–${max}`;
  return [{ label: 'Ratios', text: `${ratiosOf(set)} ${range}${left}` }];
}

function ratiosOf(set: ResultSet): string {
  const { variants, baseline } = set.plan.study;
  const others = variants.filter((variant) => variant.id !== baseline);
  const [only] = others;
  return others.length === 1 && only !== undefined
    ? ratioName(set, only.id, baseline)
    : `each variant over ${variantName(set, baseline)}`;
}

function highestP95(set: ResultSet): string {
  const { highestP95: highest } = set.headline;
  if (highest === null) return notAvailable;
  const decimals = decimalsFor([highest.valueMs], 3, 2);
  return `${formatNumber(highest.valueMs, decimals)} ms (${cellName(set, highest.cell)})`;
}

function thresholdsText(set: ResultSet): string {
  const all = set.summaries.flatMap((summary) => summary.thresholds);
  const evaluated = all.filter((threshold) => threshold.passed !== null);
  const crossed = evaluated.filter((threshold) => threshold.passed === false).length;
  const rest = all.length - evaluated.length;
  const open = rest === 0 ? '' : `; ${rest} could not be evaluated`;
  if (evaluated.length === 0) return `none evaluated${open}`;
  return crossed === 0 ? `all ${evaluated.length} kept${open}` : `${crossed} of ${evaluated.length} crossed${open}`;
}

/** Every threshold that was crossed: one line each. */
export function crossedThresholds(set: ResultSet): string[] {
  return set.summaries.flatMap(({ cell, thresholds }) =>
    thresholds
      .filter((threshold) => threshold.passed === false)
      .map(({ expression, name, value }) => {
        const seen = name === 'p95' ? `${formatNumber(value, 2)} ms` : formatRate(value);
        return `${expression} crossed: ${seen} (${cellName(set, cell)})`;
      }),
  );
}
