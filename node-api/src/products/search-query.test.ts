import { describe, expect, it } from 'vitest';
import { readSearchQuery } from './search-query.ts';

const maxCodePoints = 100;
const read = (query: string) => readSearchQuery(query, 'q', maxCodePoints);

describe('a query string', () => {
  it.each(['', 'x=1', '&&&', '=', 'Q=1', 'qq=1', '%zz=1', '%=q', 'x=%zz&y=%', '%71q=1', '%FF=q', 'q%=1'])(
    'without q: %j',
    (query) => {
      expect(read(query)).toEqual({ kind: 'absent' });
    },
  );

  it.each([
    ['q=', ''],
    ['q', ''],
    ['&q&', ''],
    ['q=Oak', 'Oak'],
    ['q=a+b', 'a b'],
    ['q=a%2Bb', 'a+b'],
    ['q=a=b=c', 'a=b=c'],
    ['q=a;b', 'a;b'],
    ['%71=Oak', 'Oak'],
    ['x=%zz&q=Oak&%=', 'Oak'],
    ['q=50%25', '50%'],
    ['q=%C3%A9', 'é'],
    ['q=\u00c3\u00a9', 'é'], // raw bytes, one char each
    ['q=%F0%9F%8E%81', '🎁'],
    ['q=%e2%80%a8', '\u2028'],
    ['q=%EF%BB%BFx', '\uFEFFx'],
    ['q=?/q', '?/q'],
    [`q=${'a'.repeat(100)}`, 'a'.repeat(100)],
    [`q=${'%F0%9F%8E%81'.repeat(100)}`, '🎁'.repeat(100)],
  ])('with q: %j', (query, text) => {
    expect(read(query)).toEqual({ kind: 'text', text });
  });

  it.each([
    'q=a&q=b',
    'q&q',
    'q=a&%71=a',
    'q=%',
    'q=%2',
    'q=%zz',
    'q=%u0041',
    'q=%00',
    'q=a%00b',
    'q=%FF',
    'q=\u00ff',
    'q=%C3',
    'q=%C0%80',
    'q=%ED%A0%80',
    'q=%F4%90%80%80',
    `q=${'a'.repeat(101)}`,
    `q=${'%F0%9F%8E%81'.repeat(101)}`,
  ])('with a bad q: %j', (query) => {
    expect(read(query)).toEqual({ kind: 'bad' });
  });
});
