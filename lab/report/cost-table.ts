import type { ResultSet, Summary } from '../model/result.ts';
import type { Doubts } from './doubts.ts';
import { decimalsFor, formatNumber, notAvailable } from './format-number.ts';
import { hasShare, largeShare } from './provenance.ts';
import { rowsOf, type Row, type RowCell } from './rows.ts';
import { cell, type Column, type Style, type Table, type TableCell } from './table.ts';
import { placeCells, placeColumns } from './throughput-table.ts';

/** A figure of a cell, as a column (or one column a variant). */
interface Figure {
  readonly title: string;
  readonly valueOf: (summary: Summary) => number | null;
  readonly significant: number;
  readonly mostDecimals: number;
  readonly styleOf: (summary: Summary) => Style;
}

const figures: readonly Figure[] = [
  {
    title: 'p95 ms',
    valueOf: (summary) => summary.latencyMs.p95,
    significant: 2,
    mostDecimals: 2,
    styleOf: (summary) => (crossed(summary, 'p95') ? 'bad' : 'plain'),
  },
  {
    title: 'CPU µs/req',
    valueOf: (summary) => microsOf(summary.cpuMsPerRequest.api),
    significant: 2,
    mostDecimals: 1,
    styleOf: () => 'plain',
  },
  {
    title: 'peak MB',
    valueOf: (summary) => (summary.peakResidentBytes === null ? null : summary.peakResidentBytes / 1e6),
    significant: 2,
    mostDecimals: 1,
    styleOf: () => 'dim',
  },
  {
    title: 'errors',
    valueOf: (summary) => (summary.rounds === 0 ? null : errorsOf(summary)),
    significant: 1,
    mostDecimals: 0,
    styleOf: (summary) => (errorsOf(summary) > 0 ? 'bad' : 'dim'),
  },
];

/** Latency at each variant's own speed, and what a request costs. */
export function costTable(set: ResultSet, doubts: Doubts): Table {
  return set.plan.study.variants.length <= 2 ? sideBySide(set, doubts) : oneBelowTheOther(set, doubts);
}

function sideBySide(set: ResultSet, doubts: Doubts): Table {
  const rows = rowsOf(set);
  const { variants } = set.plan.study;
  const notes = rows.map((row) => marksOf(row.cells, doubts));
  const columns: Column[] = [
    ...placeColumns,
    ...figures.flatMap(({ title: group }) =>
      variants.map(({ title }): Column => ({ group, title, align: 'right', shrinks: true })),
    ),
    ...shareColumn(set),
    ...noteColumn(notes),
  ];
  return {
    columns,
    rows: rows.map((row, index) => [
      ...placeCells(row),
      ...figures.flatMap((figure) => row.cells.map((item) => figureCell(figure, item, set))),
      ...shareCell(set, shareOf(row)),
      ...noteCell(notes, index),
    ]),
  };
}

function oneBelowTheOther(set: ResultSet, doubts: Doubts): Table {
  const items = rowsOf(set).flatMap((row) => row.cells.map((item) => ({ row, item })));
  const notes = items.map(({ item }) => marksOf([item], doubts));
  const columns: Column[] = [
    ...placeColumns.map((column) => ({ ...column, repeats: true })),
    { title: 'variant', align: 'left', shrinks: true },
    ...figures.map(({ title }): Column => ({ title, align: 'right' })),
    ...shareColumn(set),
    ...noteColumn(notes),
  ];
  return {
    columns,
    rows: items.map(({ row, item }, index) => [
      ...placeCells(row),
      cell(item.variant.title),
      ...figures.map((figure) => figureCell(figure, item, set)),
      ...shareCell(set, item.summary?.generatorShare ?? null),
      ...noteCell(notes, index),
    ]),
  };
}

/** None where the generator took nothing from the servers, on a machine of its own. */
function shareColumn(set: ResultSet): Column[] {
  return hasShare(set) ? [{ title: 's', align: 'right' }] : [];
}

function noteColumn(notes: readonly string[]): Column[] {
  return notes.some(Boolean) ? [{ title: 'see', align: 'left' }] : [];
}

function noteCell(notes: readonly string[], index: number): TableCell[] {
  return notes.some(Boolean) ? [cell(notes[index] ?? '', 'warn')] : [];
}

function marksOf(items: readonly RowCell[], doubts: Doubts): string {
  return doubts.marksOf(items.flatMap(({ summary }) => [summary?.verdicts.throughput, summary?.verdicts.latency]));
}

function figureCell(figure: Figure, { summary }: RowCell, set: ResultSet): TableCell {
  if (summary === undefined) return cell(notAvailable, 'dim');
  const value = figure.valueOf(summary);
  if (value === null) return cell(notAvailable, 'dim');
  const decimals = decimalsFor(set.summaries.map(figure.valueOf), figure.significant, figure.mostDecimals);
  return cell(formatNumber(value, decimals), figure.styleOf(summary));
}

/** The comparison's where there is one (the faster cell's), else the largest of the row. */
function shareOf(row: Row): number | null {
  const compared = row.cells.find((item) => item.comparison !== undefined)?.comparison;
  if (compared !== undefined) return compared.generatorShare;
  const shares = row.cells.flatMap(({ summary }) => summary?.generatorShare ?? []);
  return shares.length === 0 ? null : Math.max(...shares);
}

function shareCell(set: ResultSet, share: number | null): TableCell[] {
  if (!hasShare(set)) return [];
  return [cell(formatNumber(share, 2), share !== null && share > largeShare ? 'warn' : 'dim')];
}

function crossed(summary: Summary, name: Summary['thresholds'][number]['name']): boolean {
  return summary.thresholds.some((threshold) => threshold.name === name && threshold.passed === false);
}

/** Failed requests, and those that were cut in flight. */
function errorsOf({ failedRequests, unfinishedRequests }: Summary): number {
  return failedRequests + unfinishedRequests;
}

function microsOf(milliseconds: number | null | undefined): number | null {
  return milliseconds === null || milliseconds === undefined ? null : milliseconds * 1000;
}
