import { formatNumber } from '../../lab/report/format-number.ts';
import { paintFor } from '../../lab/report/paint.ts';
import { cell, type Column, type Table } from '../../lab/report/table.ts';
import { terminalTable } from '../../lab/report/terminal-table.ts';
import type { Row } from './rows.ts';

const width = 80;

const columns: readonly Column[] = [
  { title: 'endpoint', align: 'left' },
  { title: 'VUs', align: 'right' },
  { title: 'API', align: 'left', repeats: true },
  { group: 'req/s', title: 'native', align: 'right' },
  { group: 'req/s', title: 'compose', align: 'right' },
  { group: 'compose / native', title: 'ratio', align: 'right' },
  { group: 'compose / native', title: 'interval', align: 'right' },
  { group: 'CPU µs/req', title: 'native', align: 'right' },
  { group: 'CPU µs/req', title: 'compose', align: 'right' },
];

/** The rows as a table of 80 columns, and how to read it. */
export function describe(rows: readonly Row[], colour: boolean): string {
  const paint = paintFor(colour);
  const table: Table = { columns, rows: rows.map(cells) };
  return [
    '',
    paint.heading('The same APIs as processes and as containers'),
    ...terminalTable(table, width, paint),
    '',
    'ratio: requests per second in containers over those of processes, in turns on',
    'this machine; Hodges–Lehmann over the rounds, with its exact interval.',
    'CPU µs: user and system time of the API for each request.',
    '',
  ].join('\n');
}

function cells({ variant, path, vus, native, compose, ratio, interval }: Row): Table['rows'][number] {
  return [
    cell(path),
    cell(String(vus)),
    cell(variant),
    cell(formatNumber(native.requestsPerSecond, 0)),
    cell(formatNumber(compose.requestsPerSecond, 0)),
    cell(ratio.toFixed(2), 'strong'),
    cell(interval === null ? 'n/a' : `${interval.low.toFixed(2)}–${interval.high.toFixed(2)}`),
    cell(formatNumber(native.cpuMicrosPerRequest, 0)),
    cell(formatNumber(compose.cpuMicrosPerRequest, 0)),
  ];
}
