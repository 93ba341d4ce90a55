import type { Comparison, LoadMovement, ResultSet } from '../model/result.ts';
import { loadId, type Load } from '../model/study.ts';
import { formatChange, formatNumber, notAvailable } from './format-number.ts';
import { loadName, ratioName } from './names.ts';
import { cell, type Column, type Table, type TableCell } from './table.ts';

const ours = 'this set';
const theirs = 'published, another machine';

/**
 * Each comparison's ratio at the smallest and the largest load and how it moved, with the published ratios beside it.
 * Null where there is neither a second load nor anything published.
 */
export function movementTable(set: ResultSet): Table | null {
  const [smallest, largest] = endLoads(set);
  const comparisons = set.comparisons.filter((item) => smallest !== undefined && isAt(item, smallest));
  const loads =
    largest === undefined || smallest === undefined ? [] : smallest === largest ? [smallest] : [smallest, largest];
  const withPublished = comparisons.some((item) => loads.some((load) => publishedRatio(set, item, load) !== null));
  if (comparisons.length === 0 || (loads.length < 2 && !withPublished)) return null;
  const several = set.plan.study.variants.length > 2;
  return {
    columns: [
      { title: 'endpoint', align: 'left', shrinks: true, repeats: true },
      ...(several ? [{ title: 'ratio', align: 'left', shrinks: true } as const] : []),
      ...ratioColumns(ours, loads),
      ...(withPublished ? ratioColumns(theirs, loads) : []),
    ],
    rows: comparisons.map((item) => [
      cell(item.endpoint),
      ...(several ? [cell(ratioName(set, item.variant, item.baseline))] : []),
      ...loads.map((load) => ourRatio(set, item, load)),
      ...(loads.length < 2 ? [] : [changeCell(movementOf(set, item)?.ratioOfRatios ?? null)]),
      ...(withPublished ? publishedCells(set, item, loads) : []),
    ]),
  };
}

/** `How Go/Node moves with the load`. */
export function movementTitle(set: ResultSet): string {
  const [first] = set.comparisons;
  const onlyOne = first !== undefined && set.comparisons.every(({ variant }) => variant === first.variant);
  const name = onlyOne ? ratioName(set, first.variant, first.baseline) : 'the ratio';
  return set.plan.study.loads.length < 2 ? `${name} beside the published one` : `How ${name} moves with the load`;
}

/** The smallest and the largest load of the study; the same one twice when it has only one. */
export function endLoads(set: ResultSet): readonly [Load | undefined, Load | undefined] {
  const byVus = [...set.plan.study.loads].sort((a, b) => a.vus - b.vus);
  return [byVus[0], byVus.at(-1)];
}

/** Published figures of two variants as a ratio; null unless both are known. */
export function publishedRatio(set: ResultSet, { endpoint, variant, baseline }: Comparison, load: Load): number | null {
  const valueOf = (id: string): number | undefined =>
    set.plan.study.published?.claims.find(
      (claim) => claim.endpoint === endpoint && claim.variant === id && loadId(claim.load) === loadId(load),
    )?.value;
  const [mine, its] = [valueOf(variant), valueOf(baseline)];
  return mine === undefined || its === undefined || its === 0 ? null : mine / its;
}

function ratioColumns(group: string, loads: readonly Load[]): Column[] {
  const columns = loads.map((load): Column => ({ group, title: loadName(load), align: 'right' }));
  return loads.length < 2 ? columns : [...columns, { group, title: 'change', align: 'right' }];
}

function ourRatio(set: ResultSet, item: Comparison, load: Load): TableCell {
  const at = set.comparisons.find((other) => isSame(other, item) && isAt(other, load));
  if (at?.outcome === 'withheld' && at.ratio !== null) return cell('withheld', 'bad');
  return cell(formatNumber(at?.ratio ?? null, 2));
}

function publishedCells(set: ResultSet, item: Comparison, loads: readonly Load[]): TableCell[] {
  const ratios = loads.map((load) => publishedRatio(set, item, load));
  const [from, to] = ratios;
  const change = from === undefined || from === null || to === undefined || to === null ? null : to / from;
  return [
    ...ratios.map((ratio) => cell(formatNumber(ratio, 2), 'dim')),
    ...(loads.length < 2 ? [] : [cell(formatChange(change), 'dim')]),
  ];
}

function changeCell(factor: number | null): TableCell {
  return factor === null ? cell(notAvailable, 'dim') : cell(formatChange(factor));
}

/** Nothing moved between a ratio that is withheld and another one. */
function movementOf(set: ResultSet, item: Comparison): LoadMovement | undefined {
  const withheld = set.comparisons.some((other) => isSame(other, item) && other.outcome === 'withheld');
  return withheld ? undefined : set.loadMovements.find((movement) => isSame(movement, item));
}

interface Pair {
  readonly endpoint: string;
  readonly variant: string;
  readonly baseline: string;
}

function isSame(a: Pair, b: Pair): boolean {
  return a.endpoint === b.endpoint && a.variant === b.variant && a.baseline === b.baseline;
}

function isAt(comparison: Comparison, load: Load): boolean {
  return loadId(comparison.load) === loadId(load);
}
