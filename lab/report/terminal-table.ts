import stringWidth from 'string-width';
import { cut } from '../model/cut.ts';
import type { Paint } from './paint.ts';
import type { Column, Table, TableCell } from './table.ts';
import { plainText } from './wrap.ts';

/** A name is not cut below this. */
const narrowest = 6;

/**
 * A table as lines of at most `width` columns: values aligned, what repeats left blank, long names cut with ….
 * Columns of one group stand closer together than groups do.
 */
export function terminalTable(table: Table, width: number, paint: Paint): string[] {
  const gaps = table.columns.map((column, index) => gapBefore(table.columns, index, column));
  const widths = fit(table, gaps, width);
  const line = (cells: readonly TableCell[]): string =>
    cells
      .map((item, index) => ' '.repeat(gaps[index] ?? 0) + pad(item, widths[index] ?? 0, table.columns[index], paint))
      .join('')
      .trimEnd();
  const titles = table.columns.map((column): TableCell => ({ text: column.title, style: 'dim' }));
  return [
    ...groupLine(table.columns, widths, gaps, paint),
    line(titles),
    ...table.rows.map((row, index) => line(withoutRepeats(row, table.rows[index - 1], table.columns))),
  ];
}

function gapBefore(columns: readonly Column[], index: number, column: Column): number {
  if (index === 0) return 0;
  return column.group !== undefined && column.group === columns[index - 1]?.group ? 1 : 2;
}

/** Widths by content; when they are too many, the widest column that may shrinks, one by one. */
function fit(table: Table, gaps: readonly number[], width: number): number[] {
  const widths = table.columns.map((column, index) =>
    Math.max(...[column.title, ...table.rows.map((row) => row[index]?.text ?? '')].map((text) => stringWidth(text))),
  );
  widenForGroups(table.columns, widths, gaps);
  // Right-aligned columns shrink by their title only: digits are never cut.
  const least = table.columns.map((column, index) =>
    column.align === 'left' ? narrowest : Math.max(2, ...table.rows.map((row) => stringWidth(row[index]?.text ?? ''))),
  );
  const total = (): number => [...widths, ...gaps].reduce((sum, value) => sum + value, 0);
  while (total() > width) {
    const candidates = table.columns.flatMap((column, index) =>
      column.shrinks === true && (widths[index] ?? 0) > (least[index] ?? 0) ? [index] : [],
    );
    const [first] = candidates;
    if (first === undefined) break;
    const widest = candidates.reduce((a, b) => ((widths[b] ?? 0) > (widths[a] ?? 0) ? b : a), first);
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

/** A heading that is wider than its columns pushes them to the right. */
function widenForGroups(columns: readonly Column[], widths: number[], gaps: readonly number[]): void {
  for (const { group, from, to } of groupsOf(columns)) {
    const missing = stringWidth(group) - spanOf(widths, gaps, from, to);
    if (missing > 0) widths[from] = (widths[from] ?? 0) + missing;
  }
}

function groupLine(
  columns: readonly Column[],
  widths: readonly number[],
  gaps: readonly number[],
  paint: Paint,
): string[] {
  const groups = groupsOf(columns);
  if (groups.length === 0) return [];
  let line = '';
  let column = 0;
  for (const { group, from, to } of groups) {
    const skipped = spanOf(widths, gaps, column, from - 1) + (gaps[column] ?? 0) + (gaps[from] ?? 0);
    line += ' '.repeat(column === from ? (gaps[from] ?? 0) : skipped);
    line += cut(group, spanOf(widths, gaps, from, to)).padStart(spanOf(widths, gaps, from, to));
    column = to + 1;
  }
  return [paint.dim(line)];
}

interface Group {
  readonly group: string;
  readonly from: number;
  readonly to: number;
}

function groupsOf(columns: readonly Column[]): Group[] {
  return columns.flatMap(({ group }, from) => {
    if (group === undefined || columns[from - 1]?.group === group) return [];
    const after = columns.findIndex((column, index) => index > from && column.group !== group);
    return [{ group, from, to: (after === -1 ? columns.length : after) - 1 }];
  });
}

/** Columns `from` to `to` with the gaps between them. */
function spanOf(widths: readonly number[], gaps: readonly number[], from: number, to: number): number {
  let span = 0;
  for (let index = from; index <= to; index++) span += (widths[index] ?? 0) + (index > from ? (gaps[index] ?? 0) : 0);
  return span;
}

/** A place is named once, on its first row: blank below until it, or a column before it, changes. */
function withoutRepeats(
  row: readonly TableCell[],
  above: readonly TableCell[] | undefined,
  columns: readonly Column[],
): TableCell[] {
  let same = above !== undefined;
  return row.map((item, index) => {
    same = same && columns[index]?.repeats === true && above?.[index]?.text === item.text;
    return same ? { text: '', style: 'plain' } : item;
  });
}

function pad({ text, style }: TableCell, width: number, column: Column | undefined, paint: Paint): string {
  const short = cut(plainText(text), width);
  const space = ' '.repeat(Math.max(0, width - stringWidth(short)));
  const painted = short === '' ? '' : paint[style](short);
  return column?.align === 'right' ? space + painted : painted + space;
}
