import type { Comparison, ResultSet } from '../model/result.ts';
import type { Doubts } from './doubts.ts';
import { decimalsFor, formatNumber, notAvailable } from './format-number.ts';
import { ratioName } from './names.ts';
import { outcomes, verdictStyles } from './outcomes.ts';
import { rowsOf, type Row, type RowCell } from './rows.ts';
import { cell, type Column, type Table, type TableCell } from './table.ts';

/** Requests per second, ratio, interval and verdict. Up to two variants side by side, more of them one below the other. */
export function throughputTable(set: ResultSet, doubts: Doubts): Table {
  return set.plan.study.variants.length <= 2 ? sideBySide(set, doubts) : oneBelowTheOther(set, doubts);
}

export const placeColumns: readonly Column[] = [
  { title: 'endpoint', align: 'left', shrinks: true, repeats: true },
  { title: 'VUs', align: 'right' },
];

export function placeCells(row: Row): TableCell[] {
  return [cell(row.endpoint), cell(formatNumber(row.load.vus, 0))];
}

function sideBySide(set: ResultSet, doubts: Doubts): Table {
  const rows = rowsOf(set);
  const format = formats(set);
  const { variants, baseline } = set.plan.study;
  const other = variants.find((variant) => variant.id !== baseline);
  const columns: Column[] = [
    ...placeColumns,
    ...variants.map(({ title }): Column => ({ group: 'requests/s', title, align: 'right', shrinks: true })),
    ...(other === undefined ? [] : ratioColumns(ratioName(set, other.id, baseline))),
    { title: 'verdict', align: 'left' },
  ];
  return {
    columns,
    rows: rows.map((row) => {
      const compared = row.cells.find((item) => item.variant.id !== baseline) ?? row.cells[0];
      return [
        ...placeCells(row),
        ...row.cells.map((item) => format.rate(item)),
        ...(other === undefined ? [] : format.ratio(compared?.comparison)),
        verdictCell(compared, doubts),
      ];
    }),
  };
}

function oneBelowTheOther(set: ResultSet, doubts: Doubts): Table {
  const format = formats(set);
  const columns: Column[] = [
    ...placeColumns.map((column) => ({ ...column, repeats: true })),
    { title: 'variant', align: 'left', shrinks: true },
    { title: 'requests/s', align: 'right' },
    ...ratioColumns('ratio'),
    { title: 'verdict', align: 'left' },
  ];
  const rows = rowsOf(set).flatMap((row) =>
    row.cells.map((item) => [
      ...placeCells(row),
      cell(item.variant.title),
      format.rate(item),
      ...(item.variant.id === set.plan.study.baseline
        ? [cell('baseline', 'dim'), cell('')]
        : format.ratio(item.comparison)),
      verdictCell(item, doubts),
    ]),
  );
  return { columns, rows };
}

function ratioColumns(title: string): Column[] {
  return [
    { title: title.length <= 12 ? title : 'ratio', align: 'right' },
    { title: '95 % interval', align: 'right' },
  ];
}

interface Formats {
  rate(item: RowCell): TableCell;
  /** Ratio and interval. */
  ratio(comparison: Comparison | undefined): [TableCell, TableCell];
}

/** One number of decimals for all rates, and one for all ratios of a set. */
function formats(set: ResultSet): Formats {
  const rateDecimals = decimalsFor(
    set.summaries.map((summary) => summary.requestsPerSecond.mean),
    3,
    1,
  );
  const decimals = ratioDecimals(set.comparisons);
  return {
    rate: ({ summary }) => cell(formatNumber(summary?.requestsPerSecond.mean ?? null, rateDecimals)),
    ratio: (comparison) => ratioCells(comparison, decimals),
  };
}

/** An invalid ratio is withheld here; the result set keeps it. */
function ratioCells(comparison: Comparison | undefined, decimals: number): [TableCell, TableCell] {
  if (comparison === undefined) return [cell(notAvailable, 'dim'), cell(notAvailable, 'dim')];
  const { ratio, interval, outcome } = comparison;
  const { ratioStyle } = outcomes[outcome];
  if (outcome === 'withheld' && ratio !== null) return [cell('withheld', ratioStyle), cell('')];
  const bounds =
    interval === null
      ? notAvailable
      : `[${formatNumber(interval.low, decimals)}–${formatNumber(interval.high, decimals)}]`;
  return [cell(formatNumber(ratio, decimals), ratio === null ? 'dim' : ratioStyle), cell(bounds, 'dim')];
}

/** Two, or three where two would print an interval that excludes 1 as if it touched it. */
export function ratioDecimals(comparisons: readonly Comparison[]): number {
  const bounds = comparisons.flatMap(({ interval }) => (interval === null ? [] : [interval.low, interval.high]));
  return bounds.some((bound) => bound !== 1 && bound.toFixed(2) === '1.00') ? 3 : 2;
}

function verdictCell(item: RowCell | undefined, doubts: Doubts): TableCell {
  const verdict = item?.comparison?.verdict ?? item?.summary?.verdicts.throughput;
  if (verdict === undefined) return cell(notAvailable, 'dim');
  const mark = item?.comparison === undefined ? '' : outcomes[item.comparison.outcome].mark;
  const words = [mark, verdict.state, doubts.marksOf([verdict])].filter(Boolean).join(' ');
  return cell(words, verdictStyles[verdict.state]);
}
