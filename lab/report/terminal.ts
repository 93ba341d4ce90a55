import stringWidth from 'string-width';
import type { ResultSet } from '../model/result.ts';
import { bannersOf, type Banner } from './banners.ts';
import { costTable } from './cost-table.ts';
import { doubtsOf, type Doubt } from './doubts.ts';
import { crossedThresholds, headlineOf } from './headline.ts';
import { movementTable, movementTitle } from './movement-table.ts';
import { nextSteps } from './next-steps.ts';
import { detectableLines, legendOf } from './outcomes.ts';
import { oneGenerationSentence } from './one-generation.ts';
import { paintFor, type Paint, type Painter } from './paint.ts';
import { generatorShareSentence, intervalSentence, provenanceLines } from './provenance.ts';
import { terminalTable } from './terminal-table.ts';
import { throughputTable } from './throughput-table.ts';
import { warmUpSentence } from './warm-ups.ts';
import { wrap } from './wrap.ts';

export interface TerminalOptions {
  /** False: no escape sequence at all. The caller knows the terminal and NO_COLOR. */
  readonly colour: boolean;
  /** The set's folder as the user would type it; `results/<id>` when left out. */
  readonly location?: string;
}

/** Wide enough for two variants, narrow enough for every terminal and code block. */
const width = 80;

/** The report of a set for a terminal: at most 80 columns wide, ending with a newline. */
export function terminalReport(set: ResultSet, options: TerminalOptions): string {
  const paint = paintFor(options.colour);
  const sections = [
    bannerBox(bannersOf(set), paint),
    opening(set, paint),
    ...tables(set, paint),
    headline(set, paint),
    movement(set, paint),
    provenance(set, paint),
    next(set, options.location, paint),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** All that a reader must know first, in one box. */
function bannerBox(banners: readonly Banner[], paint: Paint): string[] {
  if (banners.length === 0) return [];
  const inside = banners.flatMap(({ title, text }) => wrap(`${title}: ${text}`, width - 4));
  const rule = '━'.repeat(width - 2);
  return [
    `┏${rule}┓`,
    ...inside.map((line) => `┃ ${line}${' '.repeat(width - 4 - stringWidth(line))} ┃`),
    `┗${rule}┛`,
  ].map((line) => paint.alarm(line));
}

function opening({ plan: { study } }: ResultSet, paint: Paint): string[] {
  return [...wrap(study.title, width).map(paint.heading), ...wrap(study.question, width).map(paint.dim)];
}

function tables(set: ResultSet, paint: Paint): string[][] {
  const doubts = doubtsOf(set);
  return [
    [paint.heading('Throughput'), ...terminalTable(throughputTable(set, doubts), width, paint)],
    [
      `${paint.heading('Latency and cost')} ${paint.dim('(each at its own speed: shown, not ranked)')}`,
      ...terminalTable(costTable(set, doubts), width, paint),
    ],
    [
      ...legendOf(set).flatMap(({ mark, meaning }) => hanging(mark, meaning, paint.dim)),
      ...detectableLines(set).flatMap((line) => hanging('≈', line, paint.dim)),
      ...doubts.list.flatMap((doubt) =>
        hanging(doubt.mark, doubtLine(doubt), doubt.kind === 'reason' ? paint.warn : paint.dim),
      ),
      ...crossedThresholds(set).flatMap((line) => hanging('!', line, paint.bad)),
    ],
  ];
}

/** What was seen, where, against which limit, and what to do. Where there are many, report.md names them all. */
function doubtLine({ sightings, limit, advice }: Doubt): string {
  const [first] = sightings;
  const others = new Set(sightings.map(({ row }) => row)).size - 1;
  const more = others === 0 ? '' : ` and ${others} more ${others === 1 ? 'row' : 'rows'}`;
  return `${first?.seen ?? ''} (${first?.where ?? ''}${more}); limit: ${limit} → ${advice}`;
}

function headline(set: ResultSet, paint: Paint): string[] {
  const lines = headlineOf(set);
  const labels = Math.max(...lines.map(({ label }) => label.length));
  return [
    paint.heading('In all'),
    ...lines.flatMap(({ label, text }) => hanging(label.padEnd(labels), text, (line) => line, paint.dim)),
  ];
}

function movement(set: ResultSet, paint: Paint): string[] {
  const table = movementTable(set);
  if (table === null) return [];
  const published = set.plan.study.published;
  return [
    paint.heading(movementTitle(set)),
    ...terminalTable(table, width, paint),
    ...(published === undefined ? [] : wrap(`Published: ${published.description}.`, width).map(paint.dim)),
  ];
}

function provenance(set: ResultSet, paint: Paint): string[] {
  const share = generatorShareSentence(set);
  const interval = intervalSentence(set);
  const warmUps = warmUpSentence(set);
  const oneGeneration = oneGenerationSentence(set);
  const labels = Math.max(...provenanceLines(set).map(({ label }) => label.length));
  return [
    ...provenanceLines(set).flatMap(({ label, text }) => hanging(label.padEnd(labels), text, paint.dim)),
    ...(interval === null ? [] : wrap(interval, width).map(paint.dim)),
    ...(oneGeneration === null ? [] : wrap(oneGeneration, width).map(paint.dim)),
    ...(warmUps === null ? [] : wrap(warmUps, width).map(paint.dim)),
    ...(share === null ? [] : wrap(share.text, width).map(share.large ? paint.warn : paint.dim)),
  ];
}

function next(set: ResultSet, location: string | undefined, paint: Paint): string[] {
  const steps = nextSteps(set, location);
  const labels = Math.max(...steps.map(({ what }) => what.length));
  return [
    paint.heading('Next'),
    ...steps.flatMap(({ what, how }) => hanging(what.padEnd(labels), how, (line) => line, paint.dim)),
  ];
}

/** A mark, and text that stays clear of the mark's column when it wraps. */
function hanging(mark: string, text: string, painter: Painter, markPainter: Painter = painter): string[] {
  const indent = stringWidth(mark) + 2;
  return wrap(text, width - indent).map((line, index) =>
    index === 0 ? `${markPainter(mark)}  ${painter(line)}` : ' '.repeat(indent) + painter(line),
  );
}
