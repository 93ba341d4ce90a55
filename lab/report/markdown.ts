import type { ResultSet } from '../model/result.ts';
import { bannersOf } from './banners.ts';
import { costTable } from './cost-table.ts';
import { cpuTable, errorsTable, latencyTable, parityTable, roundsTable } from './detail-tables.ts';
import { doubtsOf, type Doubt } from './doubts.ts';
import { crossedThresholds, headlineOf } from './headline.ts';
import { manifestTable } from './manifest.ts';
import { escaped, markdownTable } from './markdown-table.ts';
import { movementTable, movementTitle } from './movement-table.ts';
import { detectableLines, legendOf } from './outcomes.ts';
import { oneGenerationSentence } from './one-generation.ts';
import { provenanceTable } from './provenance-table.ts';
import { generatorShareSentence, intervalSentence, provenanceLines } from './provenance.ts';
import { readingGuide } from './reading-guide.ts';
import type { Table } from './table.ts';
import { throughputTable } from './throughput-table.ts';
import { warmUpSentence } from './warm-ups.ts';

/** The whole report of a set as Markdown: the same bytes whenever it is made from the same set. */
export function markdownReport(set: ResultSet): string {
  const doubts = doubtsOf(set);
  const sections = [
    [`# ${escaped(set.plan.study.title)}`],
    [escaped(set.plan.study.question)],
    ...bannersOf(set).map(({ title, text }) => [`> **${title}**: ${escaped(text)}`]),
    bullets(provenanceLines(set).map(({ label, text }) => `${label}: ${text}`)),
    ...section('Throughput', throughputTable(set, doubts)),
    legendOf(set).map(({ mark, meaning }) => `- ${mark} ${escaped(meaning)}`),
    bullets(detectableLines(set)),
    sentences(set),
    ...section('Latency and cost', costTable(set, doubts)),
    ['Latency is each variant at its own speed: shown, not ranked.'],
    ...reasons(doubts.list),
    ...list('Thresholds crossed', crossedThresholds(set)),
    ...list(
      'In all',
      headlineOf(set).map(({ label, text }) => `${label}: ${text}`),
    ),
    ...movement(set),
    ...section('Latency in milliseconds', latencyTable(set)),
    ...section('Rounds', roundsTable(set)),
    ...section('CPU time per request, microseconds', cpuTable(set)),
    ...section('Errors', errorsTable(set)),
    ...section('Parity: the same work', parityTable(set)),
    ...section('Fairness: what each variant was and could use', manifestTable(set)),
    ...section('Provenance', provenanceTable(set)),
    ['## How to read it'],
    readingGuide.map((line) => `- ${line}`),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** A heading and its table; nothing where the table has no rows. */
function section(title: string, table: Table): string[][] {
  return table.rows.length === 0 ? [] : [[`## ${title}`], markdownTable(table)];
}

function list(title: string, lines: readonly string[]): string[][] {
  return lines.length === 0 ? [] : [[`## ${title}`], bullets(lines)];
}

function bullets(lines: readonly string[]): string[] {
  return lines.map((line) => `- ${escaped(line)}`);
}

function sentences(set: ResultSet): string[] {
  return [
    intervalSentence(set),
    oneGenerationSentence(set),
    warmUpSentence(set),
    generatorShareSentence(set)?.text ?? null,
  ].flatMap((sentence) => (sentence === null ? [] : [`- ${escaped(sentence)}`]));
}

function reasons(doubts: readonly Doubt[]): string[][] {
  if (doubts.length === 0) return [];
  const lines = doubts.flatMap(({ mark, rule, limit, advice, sightings }) => [
    `- **${mark}** ${escaped(rule)} (limit: ${escaped(limit)}): ${escaped(advice)}`,
    ...sightings.map(({ where, seen }) => `  - ${escaped(where)}: ${escaped(seen)}`),
  ]);
  return [['## Reasons and notes'], lines];
}

function movement(set: ResultSet): string[][] {
  const table = movementTable(set);
  if (table === null) return [];
  const published = set.plan.study.published;
  return [
    ...section(movementTitle(set), table),
    published === undefined ? [] : [`Published: ${escaped(published.description)}.`],
  ];
}
