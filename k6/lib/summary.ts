import type { ContractEndpoint } from './contract.ts';
import { folderExists } from './contract.ts';
import { summaryText } from './summary-text.ts';
import type { Settings } from './settings.ts';

/** File name -> content; `stdout` is what k6 prints. */
export type HandledSummary = Record<string, string>;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A name that no other run takes: milliseconds, and a random part for runs that end in the same one. */
function freshName(settings: Settings, endpoint: string): string {
  const time = new Date().toISOString().replace(/:/g, '');
  const random = Math.floor(Math.random() * 0x10000)
    .toString(16)
    .padStart(4, '0');
  return `k6-${settings.stack}-${endpoint}-${settings.vus}vus-${time}-${random}.json`;
}

/** Where the summary goes; null: nowhere, there is no results folder. */
function summaryFile(settings: Settings, endpoint: string): string | null {
  if (settings.summary !== null) return settings.summary;
  if (settings.resultsDir !== null) return `${settings.resultsDir}/${freshName(settings, endpoint)}`;
  const folder = import.meta.resolve('../../results');
  return resultsFolder ? `${folder.replace(/^file:\/\//, '')}/${freshName(settings, endpoint)}` : null;
}

/** Found at start: nothing can be opened when the summary is made. */
const resultsFolder = folderExists(import.meta.resolve('../../results'));

/** Whether any VU began: a run that setup() refused has nothing to sum up. */
function windowOpened(data: Record<string, unknown>): boolean {
  const text = JSON.stringify(data.metrics ?? data.results ?? null);
  return text.includes('"window_opened_at"');
}

/**
 * The full summary as JSON, together with what was run, and a short text for the terminal. Empty when setup() refused the run:
 * no summary is better than one of nothing.
 */
export function summaryFiles(data: unknown, settings: Settings, endpoint: ContractEndpoint): HandledSummary {
  if (!isRecord(data) || !windowOpened(data)) return {};
  const file = summaryFile(settings, endpoint.id);
  const run = {
    endpoint: endpoint.id,
    stack: settings.stack,
    url: settings.baseUrl + endpoint.path,
    executor: settings.executor,
    vus: settings.vus,
    durationMs: settings.durationMs,
    check: settings.check,
  };
  // setup()'s data is the reference body: as long as all the rest, and the same in every file.
  const rest = Object.fromEntries(Object.entries(data).filter(([key]) => key !== 'setup_data'));
  const files: HandledSummary = { stdout: summaryText(rest, settings, endpoint, file) };
  if (file !== null) files[file] = `${JSON.stringify({ loadlab: run, ...rest }, null, 1)}\n`;
  return files;
}
