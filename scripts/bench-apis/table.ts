import { formatNumber } from '../../lab/report/format-number.ts';
import { paintFor } from '../../lab/report/paint.ts';
import { cell, type Column, type Table } from '../../lab/report/table.ts';
import { terminalTable } from '../../lab/report/terminal-table.ts';
import { leastRatio, type Range, type Row } from './judge.ts';

const width = 80;

const columns: readonly Column[] = [
  { title: 'API', align: 'left', repeats: true },
  { title: 'endpoint', align: 'left' },
  { title: 'VUs', align: 'right' },
  { group: 'req/s', title: 'API', align: 'right' },
  { group: 'req/s', title: 'twin', align: 'right' },
  { group: 'API / twin', title: 'ratio', align: 'right' },
  { group: 'API / twin', title: 'interval', align: 'right' },
  { group: 'API / twin', title: 'rounds', align: 'right' },
  { group: 'CPU µs', title: 'API', align: 'right' },
  { group: 'CPU µs', title: 'twin', align: 'right' },
];

/** The rows as a table of 80 columns, how to read it, and what does not hold. */
export function describe(rows: readonly Row[], colour: boolean): string {
  const paint = paintFor(colour);
  const table: Table = { columns, rows: rows.toSorted(byStack).map(cells) };
  const failing = rows.filter(({ holds }) => !holds).length;
  const rounds = Math.max(...rows.map((row) => row.rounds));
  const verdict =
    failing === 0
      ? paint.good(`Every ratio is at least ${leastRatio}.`)
      : paint.bad(`${failing} of ${rows.length} ratios are below ${leastRatio}.`);
  return [
    '',
    paint.heading('Each API against a minimal twin'),
    ...terminalTable(table, width, paint),
    '',
    `ratio: Hodges–Lehmann over ${rounds} rounds, its exact 95 % interval, the extremes.`,
    'CPU µs: user and system time of the server process for each request, its part of',
    'opening connections included.',
    verdict,
    '',
  ].join('\n');
}

function byStack(a: Row, b: Row): number {
  return a.stack.localeCompare(b.stack);
}

function cells({ stack, path, vus, api, twin, ratio, interval, spread, holds }: Row): Table['rows'][number] {
  return [
    cell(stack),
    cell(path),
    cell(String(vus)),
    cell(formatNumber(api.requestsPerSecond, 0)),
    cell(formatNumber(twin.requestsPerSecond, 0)),
    cell(ratio.toFixed(2), holds ? 'strong' : 'bad'),
    cell(interval === null ? 'n/a' : rangeText(interval)),
    cell(rangeText(spread)),
    cell(formatNumber(api.cpuMicrosPerRequest, 0)),
    cell(formatNumber(twin.cpuMicrosPerRequest, 0)),
  ];
}

function rangeText({ low, high }: Range): string {
  return `${low.toFixed(2)}–${high.toFixed(2)}`;
}
