import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { sets } from '../../tests/fixtures/sets.ts';
import { valid } from '../../tests/fixtures/result-set.ts';
import { readThresholds } from '../contract/read.ts';
import { repositoryRoot } from '../contract/root.ts';
import type { ResultSet, Verdict } from '../model/result.ts';
import { canLimitFileSize, withFileSizeLimit } from '../model/test-file-size-limit.ts';
import { markdownReport } from './markdown.ts';
import { terminalReport } from './terminal.ts';
import { writeMarkdownReport } from './write-report.ts';

const all = Object.entries(sets);
// eslint-disable-next-line no-control-regex
const escapeSequence = /\u001b/;

describe.each(all)('%s', (name, build) => {
  test('prints as it did before, on a terminal and as Markdown', async () => {
    await expect(terminalReport(build(), { colour: false })).toMatchFileSnapshot(`golden/${name}.txt`);
    await expect(markdownReport(build())).toMatchFileSnapshot(`golden/${name}.md`);
  });

  test.each([true, false])('fits 80 columns (colour: %s)', (colour) => {
    const tooWide = terminalReport(build(), { colour, location: 'results/20261130-101500-go-vs-node' })
      .split('\n')
      .filter((line) => stringWidth(line) > 80);
    expect(tooWide).toEqual([]);
  });

  test('has escape sequences with colour only, and then the same text', () => {
    const [plain, coloured] = [false, true].map((colour) => terminalReport(build(), { colour }));
    expect(plain).not.toMatch(escapeSequence);
    expect(coloured).toMatch(escapeSequence);
    // eslint-disable-next-line no-control-regex
    expect(coloured?.replaceAll(/\u001b\[\d+m/g, '')).toBe(plain);
  });

  test('has no line that ends in blanks', () => {
    expect(terminalReport(build(), { colour: false })).not.toMatch(/ \n/);
  });

  test('says the same again', () => {
    expect(markdownReport(JSON.parse(JSON.stringify(build())) as ResultSet)).toBe(markdownReport(build()));
  });
});

describe('a reader', () => {
  const report = (set: ResultSet): string => terminalReport(set, { colour: false });

  test.each([
    ['partial', 'PARTIAL SET: interrupted by Ctrl-C; 84 of 160 runs'],
    ['quick', 'A FIRST LOOK'],
    ['parityFailed', 'NOT THE SAME WORK: products: body byte 1204'],
  ] as const)('cannot miss that a set is special: %s', (name, text) => {
    expect(report(sets[name]()).split('\n')[1]).toContain(text);
    expect(markdownReport(sets[name]()).split('\n').slice(0, 6).join()).toContain(text.split(':')[0]);
  });

  test('sees n/a where nothing was measured, never 0', () => {
    const row = report(sets.parityFailed())
      .split('\n')
      .filter((line) => line.startsWith('products  '));
    expect(row[0]).toMatch(/n\/a +n\/a +n\/a +✕ invalid/);
    expect(row[1]?.match(/n\/a/g)).toHaveLength(9);
  });

  test('does not see a withheld ratio', () => {
    expect(report(sets.everyOutcome())).not.toContain('1.83');
  });

  test('sees marks in the legend only where they occur', () => {
    const legend = (set: ResultSet): string[] => report(set).match(/^[●○≈–✕] {2}\S+/gm) ?? [];
    expect(legend(sets.healthy())).toEqual(['●  ranked:']);
    expect(legend(sets.published())).toEqual(['–  not']);
    expect(legend(sets.oneVariant())).toEqual([]);
  });

  test('is told when the generator took more than half of the CPU', () => {
    expect(report(sets.published())).toMatch(/ratios\s+are\s+probably\s+compressed/);
    expect(report(sets.oneVariant())).not.toContain('compressed');
  });

  test('sees requests that were cut in flight among the errors', () => {
    const set = sets.oneVariant();
    const summaries = set.summaries.map((summary) => ({ ...summary, failedRequests: 3, unfinishedRequests: 20 }));
    expect(report({ ...set, summaries })).toMatch(/^products .* 23 +0\.\d\d$/m);
    expect(markdownReport({ ...set, summaries })).toMatch(/\| 3 \(.*\), and 20 unfinished \|/);
  });

  test('is told once which warm-ups were cut, without a mark in any row', () => {
    const set = sets.healthy();
    const note = { rule: 'warm-up', seen: '5 of 5 warm-ups ended early', limit: '', advice: '' };
    const noted = <T extends Verdict>(verdict: T): T => ({ ...verdict, notes: [note] });
    const summaries = set.summaries.map((summary) =>
      summary.cell.endpoint === 'products-where-like'
        ? { ...summary, verdicts: { throughput: noted(valid), latency: noted(valid) } }
        : summary,
    );
    const comparisons = set.comparisons.map((row) => ({ ...row, verdict: noted(row.verdict) }));
    const sentence = 'Warm-ups of products-where-like ended at 5 s before 5,000 requests';
    const text = report({ ...set, summaries, comparisons });
    expect(text.replaceAll(/\s+/g, ' ').split(sentence)).toHaveLength(2);
    expect(text).not.toContain('5 of 5');
    expect(text).not.toMatch(/valid a/);
    expect(markdownReport({ ...set, summaries, comparisons }).split(sentence)).toHaveLength(2);
    expect(report(set)).not.toContain('Warm-ups');
  });

  test('finds the contract’s confidence in the heading of the interval', async () => {
    const { statistics } = await readThresholds(join(repositoryRoot, 'contract'));
    expect(report(sets.healthy())).toContain(`${100 * (1 - statistics.alpha)} % interval`);
  });

  test('cannot be fooled by what a server sent', () => {
    const set = sets.parityFailed();
    const evil = set.parity.map((result) => ({ ...result, difference: 'has \u001b[2J<script>|[x](y)' }));
    expect(report({ ...set, parity: evil })).not.toMatch(escapeSequence);
    expect(markdownReport({ ...set, parity: evil })).toContain('�\\[2J'.replace('\\', '') + '&lt;script>\\|[x]\\(y)');
  });
});

test('report.md is written into the set’s folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-report-'));
  const path = await writeMarkdownReport(folder, sets.quick());
  expect(path).toBe(join(folder, 'report.md'));
  expect(await readFile(path, 'utf8')).toBe(markdownReport(sets.quick()));
  await expect(writeMarkdownReport(join(folder, 'none'), sets.quick())).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
});

test.skipIf(!canLimitFileSize)('half a report.md never stands on a full disk', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-report-'));
  await withFileSizeLimit(1000, async () => {
    await expect(writeMarkdownReport(folder, sets.quick())).rejects.toMatchObject({ code: 'CANNOT_WRITE' });
  });
  expect(await readdir(folder)).toEqual([]);
});
