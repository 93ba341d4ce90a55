import type { Percentiles } from '../model/measurement.ts';
import type { ResultSet, Summary } from '../model/result.ts';
import { decimalsFor, formatNumber, formatRate } from './format-number.ts';
import { variantName } from './names.ts';
import { hasShare } from './provenance.ts';
import { cell, type Column, type Table, type TableCell } from './table.ts';

/** Tables that are too wide or too long for a terminal: one row a cell. */

const cellColumns: readonly Column[] = [
  { title: 'endpoint', align: 'left' },
  { title: 'VUs', align: 'right' },
  { title: 'variant', align: 'left' },
];

function cellCells(set: ResultSet, { cell: { endpoint, load, variant } }: Summary): TableCell[] {
  return [cell(endpoint), cell(formatNumber(load.vus, 0)), cell(variantName(set, variant))];
}

const percentiles: readonly (readonly [keyof Percentiles, string])[] = [
  ['mean', 'mean'],
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p95', 'p95'],
  ['p99', 'p99'],
  ['p999', 'p99.9'],
  ['max', 'max'],
];

/** Latency of whole requests, in milliseconds, at each variant's own speed. */
export function latencyTable(set: ResultSet): Table {
  const decimals = decimalsFor(
    set.summaries.flatMap(({ latencyMs }) => percentiles.map(([name]) => latencyMs[name])),
    2,
    2,
  );
  return {
    columns: [
      ...cellColumns,
      ...percentiles.map(([, title]): Column => ({ title, align: 'right' })),
      { title: 'first byte p95', align: 'right' },
      { title: 'percentiles from', align: 'left' },
    ],
    rows: set.summaries.map((summary) => [
      ...cellCells(set, summary),
      ...percentiles.map(([name]) => cell(formatNumber(summary.latencyMs[name], decimals))),
      cell(formatNumber(summary.timeToFirstByteMs.p95, decimals)),
      cell(summary.percentilesFrom?.replaceAll('-', ' ') ?? 'n/a'),
    ]),
  };
}

/** Requests, checks and the spread of the rounds. */
export function roundsTable(set: ResultSet): Table {
  const rates = set.summaries.map((summary) => summary.requestsPerSecond.min);
  const decimals = decimalsFor(rates, 3, 1);
  const numbers = [
    'requests',
    'failed',
    'checks passed',
    'slowest round',
    'fastest round',
    'spread (CV)',
    'bytes/response',
  ];
  return {
    columns: [
      ...cellColumns,
      { title: 'rounds', align: 'right' },
      ...numbers.map((title): Column => ({ title, align: 'right' })),
    ],
    rows: set.summaries.map((summary) => {
      const { requestsPerSecond: rate } = summary;
      return [
        ...cellCells(set, summary),
        cell(`${summary.rounds} of ${summary.plannedRounds}`),
        cell(formatNumber(summary.requests, 0)),
        cell(failedText(summary)),
        cell(formatRate(summary.checksRate)),
        cell(formatNumber(rate.min, decimals)),
        cell(formatNumber(rate.max, decimals)),
        cell(formatRate(rate.coefficientOfVariation)),
        cell(formatNumber(summary.bytesPerResponse, 0)),
      ];
    }),
  };
}

function failedText({ failedRequests, failedRate, unfinishedRequests }: Summary): string {
  const unfinished = unfinishedRequests === 0 ? '' : `, and ${formatNumber(unfinishedRequests, 0)} unfinished`;
  return `${formatNumber(failedRequests, 0)} (${formatRate(failedRate)})${unfinished}`;
}

const components = ['api', 'generator', 'postgres', 'redis'] as const;

/** Microseconds of CPU time that a request cost, by component. */
export function cpuTable(set: ResultSet): Table {
  const microsOf = (summary: Summary, component: string): number | null => {
    const milliseconds = summary.cpuMsPerRequest[component] ?? null;
    return milliseconds === null ? null : milliseconds * 1000;
  };
  return {
    columns: [
      ...cellColumns,
      ...components.map((title): Column => ({ title, align: 'right' })),
      ...(hasShare(set) ? [{ title: 's', align: 'right' } as const] : []),
    ],
    rows: set.summaries.map((summary) => [
      ...cellCells(set, summary),
      ...components.map((component) => cell(formatNumber(microsOf(summary, component), 1))),
      ...(hasShare(set) ? [cell(formatNumber(summary.generatorShare, 2))] : []),
    ]),
  };
}

/** Errors by kind, and why responses failed their checks; without rows where there was nothing. */
export function errorsTable(set: ResultSet): Table {
  return {
    columns: [
      ...cellColumns,
      { title: 'what', align: 'left' },
      { title: 'count', align: 'right' },
      { title: 'example', align: 'left' },
    ],
    rows: set.summaries.flatMap((summary) => [
      ...Object.entries(summary.errors).map(([kind, { count, example }]) => [
        ...cellCells(set, summary),
        cell(kind),
        cell(formatNumber(count, 0)),
        cell(example),
      ]),
      ...summary.failedCheckExamples.map((example) => [
        ...cellCells(set, summary),
        cell('failed check'),
        cell(''),
        cell(example),
      ]),
    ]),
  };
}

/** What the gate found before any load. */
export function parityTable(set: ResultSet): Table {
  return {
    columns: [
      { title: 'endpoint', align: 'left' },
      { title: 'same work', align: 'left' },
      { title: 'status', align: 'right' },
      { title: 'body bytes', align: 'right' },
      { title: 'body sha256', align: 'left' },
      { title: 'first difference', align: 'left' },
    ],
    rows: set.parity.map((result) => [
      cell(result.endpoint),
      cell(result.passed ? 'yes' : 'NO'),
      cell(result.status === null ? 'n/a' : String(result.status)),
      cell(formatNumber(result.bodyBytes, 0)),
      cell(result.bodySha256?.slice(0, 16) ?? 'n/a'),
      cell(result.difference ?? ''),
    ]),
  };
}
