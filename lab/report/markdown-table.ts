import type { Table } from './table.ts';
import { plainText } from './wrap.ts';

/** A table in GitHub's Markdown; a group's heading is written before each of its columns' titles. */
export function markdownTable({ columns, rows }: Table): string[] {
  const titles = columns.map(({ group, title }) => escaped(group === undefined ? title : `${group} ${title}`));
  return [
    line(titles),
    line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...rows.map((row) => line(row.map(({ text }) => escaped(text)))),
  ];
}

/** Text of a set as Markdown that shows it as it is: it may quote what a server sent. */
export function escaped(text: string): string {
  return plainText(text)
    .replaceAll(/[\\`*|~]/g, (character) => `\\${character}`)
    .replaceAll(/(?<!\w)_|_(?!\w)/g, '\\_')
    .replaceAll('](', ']\\(')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;');
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
