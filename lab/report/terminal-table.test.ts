import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { paintFor } from './paint.ts';
import { cell, type Table } from './table.ts';
import { terminalTable } from './terminal-table.ts';

const plain = paintFor(false);
const table: Table = {
  columns: [
    { title: 'endpoint', align: 'left', shrinks: true, repeats: true },
    { title: 'VUs', align: 'right' },
    { group: 'p95 ms', title: 'Go', align: 'right', shrinks: true },
    { group: 'p95 ms', title: 'Node', align: 'right', shrinks: true },
    { group: 'a wide heading', title: 'Go', align: 'right' },
    { title: 'verdict', align: 'left' },
  ],
  rows: [
    ['hello', '20', '1.6', '16.0', '7', 'valid'].map((text) => cell(text)),
    ['hello', '100', '231.0', 'n/a', '12', ''].map((text) => cell(text)),
    ['products', '20', '1.0', '1.0', '3', 'valid'].map((text) => cell(text)),
  ],
};

test('numbers align at the right, headings stand over their columns, a place is named once', () => {
  expect(terminalTable(table, 80, plain)).toEqual([
    '                   p95 ms  a wide heading',
    'endpoint  VUs     Go Node              Go  verdict',
    'hello      20    1.6 16.0               7  valid',
    '          100  231.0  n/a              12',
    'products   20    1.0  1.0               3  valid',
  ]);
});

test('names are cut with … when the table is too wide, digits never', () => {
  const named = {
    ...table,
    rows: [['a-very-long-endpoint', ...'20 231.0 16.0 7 valid'.split(' ')].map((text) => cell(text))],
  };
  const lines = terminalTable(named, 50, plain);
  expect(Math.max(...lines.map((line) => stringWidth(line)))).toBeLessThanOrEqual(50);
  expect(lines.at(-1)).toBe('a-very-…   20  231.0 16.0               7  valid');
});

test('wide characters keep the columns aligned', () => {
  const [, , row] = terminalTable(
    { ...table, rows: [['日本語', '20', '1', '2', '3', 'x'].map((text) => cell(text))] },
    80,
    plain,
  );
  expect(row?.startsWith('日本語     20')).toBe(true);
});
