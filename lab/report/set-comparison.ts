import type { EnvironmentDifference } from '../model/set-comparison.ts';
import type { ResultSet, Summary } from '../model/result.ts';
import { loadId } from '../model/study.ts';
import { formatNumber, notAvailable } from './format-number.ts';
import { paintFor } from './paint.ts';
import { cell, type Table } from './table.ts';
import { terminalTable } from './terminal-table.ts';
import { wrap } from './wrap.ts';

const width = 80;

/** Two sets for a terminal, at most 80 columns wide: what differs in how they were made, then each cell's throughput in both. */
export function setComparison(
  before: ResultSet,
  after: ResultSet,
  differences: readonly EnvironmentDifference[],
  colour: boolean,
): string {
  const paint = paintFor(colour);
  const decisive = differences.filter(({ isDecisive }) => isDecisive).length;
  const warning =
    decisive === 0
      ? []
      : wrap(
          `NOT COMPARABLE: the first ${decisive} of these decide what a ratio means; the figures are printed because --force was given.`,
          width,
        ).map(paint.alarm);
  return [
    ...warning,
    paint.heading('What differs'),
    ...(differences.length === 0
      ? ['nothing that is recorded']
      : terminalTable(differenceTable(differences), width, paint)),
    '',
    paint.heading('Throughput'),
    ...terminalTable(throughputOf(before, after), width, paint),
    '',
    ...wrap(
      'The sets were measured apart: a machine drifts between them, so there is no interval, and nothing is ranked. For an answer, measure both as variants of one study.',
      width,
    ).map(paint.dim),
    '',
  ].join('\n');
}

/** One line a difference, for an error message. */
export function differenceLine({ field, before, after }: EnvironmentDifference): string {
  return `${field}: ${before ?? 'not recorded'} and ${after ?? 'not recorded'}`;
}

function differenceTable(differences: readonly EnvironmentDifference[]): Table {
  return {
    columns: [
      { title: 'what', align: 'left' },
      { title: 'first', align: 'left', shrinks: true },
      { title: 'second', align: 'left', shrinks: true },
    ],
    rows: differences.map(({ field, before, after, isDecisive }) => [
      cell(field, isDecisive ? 'bad' : 'plain'),
      cell(before ?? notAvailable),
      cell(after ?? notAvailable),
    ]),
  };
}

function throughputOf(before: ResultSet, after: ResultSet): Table {
  const rateOf = (summary: Summary | undefined): number | null => summary?.requestsPerSecond.mean ?? null;
  return {
    columns: [
      { title: 'endpoint', align: 'left', repeats: false },
      { title: 'VUs', align: 'right' },
      { title: 'variant', align: 'left', shrinks: true },
      { group: 'requests/s', title: 'first', align: 'right' },
      { group: 'requests/s', title: 'second', align: 'right' },
      { title: 'second/first', align: 'right' },
    ],
    rows: after.summaries.flatMap((summary) => {
      const { endpoint, variant, load } = summary.cell;
      const other = before.summaries.find(
        ({ cell: its }) => its.endpoint === endpoint && its.variant === variant && loadId(its.load) === loadId(load),
      );
      const [old, new_] = [rateOf(other), rateOf(summary)];
      const ratio = old === null || new_ === null || old === 0 ? null : new_ / old;
      return [
        [
          cell(endpoint),
          cell(String(load.vus)),
          cell(variant),
          cell(formatNumber(old, 0)),
          cell(formatNumber(new_, 0)),
          cell(formatNumber(ratio, 2), 'strong'),
        ],
      ];
    }),
  };
}
