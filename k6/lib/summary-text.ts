import type { ContractEndpoint } from './contract.ts';
import { goodInWindow, inWindow, phases } from './options.ts';
import type { Settings } from './settings.ts';

interface Metric {
  readonly values?: Readonly<Record<string, number>>;
  readonly thresholds?: Readonly<Record<string, { readonly ok: boolean }>>;
}

interface Check {
  readonly name: string;
  readonly passes: number;
  readonly fails: number;
}

/** The part of k6's summary that the text reads. */
interface SummaryData {
  readonly metrics: Readonly<Record<string, Metric | undefined>>;
  readonly root_group?: { readonly checks?: readonly Check[] };
}

const noValue = 'n/a';
const trendColumns = ['min', 'p(50)', 'p(90)', 'p(95)', 'p(99)', 'p(99.9)', 'max'] as const;
const width = 10;

function isSummaryData(data: object): data is SummaryData {
  return 'metrics' in data && typeof data.metrics === 'object' && data.metrics !== null && !Array.isArray(data.metrics);
}

function trendLine(label: string, metric: Metric | undefined): string {
  const cells = trendColumns.map((column) => {
    const value = metric?.values?.count === 0 ? undefined : metric?.values?.[column];
    return (value === undefined ? noValue : value.toFixed(2)).padStart(width);
  });
  return `  ${label.padEnd(12)}${cells.join('')}`;
}

function thresholdLines(data: SummaryData): string[] {
  const judged = {
    http_req_duration: goodInWindow('http_req_duration'),
    http_req_failed: inWindow('http_req_failed'),
    checks: inWindow('checks'),
  };
  return Object.entries(judged).flatMap(([metric, part]) =>
    Object.entries(data.metrics[part]?.thresholds ?? {}).map(
      ([expression, { ok }]) => `  ${ok ? 'kept   ' : 'CROSSED'} ${metric} ${expression}`,
    ),
  );
}

/** What a person wants to see at once after a run by hand: the window's figures, without setup(). */
export function summaryText(data: object, settings: Settings, endpoint: ContractEndpoint, file: string | null): string {
  const where = file ?? 'no results folder: give one with -e RESULTS_DIR=… or -e SUMMARY=…';
  const title = `${settings.stack} ${endpoint.path}, ${settings.vus} VUs, ${settings.durationMs / 1000} s, CHECK=${settings.check}`;
  // k6's newer summary shape, asked for by a flag, is written to the file as it is.
  if (!isSummaryData(data)) return `\n${title}\nsummary: ${where}\n`;
  const value = (metric: string, key: string): number => data.metrics[metric]?.values?.[key] ?? 0;
  const requests = value(inWindow('http_reqs'), 'count');
  const failed = value(inWindow('http_req_failed'), 'passes');
  const seconds = windowSeconds(data, settings);
  const lines = [
    '',
    title,
    `  ${requests} requests, ${(requests / seconds).toFixed(1)} per second, ${failed} failed`,
    ...(data.root_group?.checks ?? []).map(
      (check) =>
        `  ${check.fails === 0 ? 'passed ' : 'FAILED '} ${check.name}: ${check.passes} of ${check.passes + check.fails}`,
    ),
    ...(endpoint.cached
      ? [
          `  X-Cache: ${value('cache_hit', 'count')} HIT, ${value('cache_miss', 'count')} MISS, ${value('cache_absent', 'count')} absent (setup included)`,
        ]
      : []),
    `  ${'ms'.padEnd(12)}${trendColumns.map((column) => column.replace(/[()]/g, '').padStart(width)).join('')}`,
    trendLine('duration', data.metrics[goodInWindow('http_req_duration')]),
    ...phases.map((phase) => trendLine(`  ${phase}`, data.metrics[goodInWindow(`http_req_${phase}`)])),
    ...thresholdLines(data),
    `  summary: ${where}`,
    '',
  ];
  return lines.join('\n');
}

/** The window's length: as asked for, or shorter when STOP_AFTER ended it. */
function windowSeconds(data: SummaryData, settings: Settings): number {
  const opened = data.metrics.window_opened_at?.values?.min;
  const closed = data.metrics.window_closed_at?.values?.min;
  return opened === undefined || closed === undefined ? settings.durationMs / 1000 : (closed - opened) / 1000;
}
