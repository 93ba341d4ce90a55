import { expect, test } from 'vitest';
import { plainText, wrap } from './wrap.ts';

test('lines break at spaces, and a long word is cut into pieces', () => {
  expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
  expect(wrap('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij']);
  expect(wrap('', 10)).toEqual(['']);
});

test('a number stays with its unit', () => {
  expect(wrap('at most 50 % of it', 10)).toEqual(['at most', '50 % of it']);
});

test('wide characters count double', () => {
  expect(wrap('日本語 日本語', 8)).toEqual(['日本語', '日本語']);
});

test('what could steer a terminal becomes visible', () => {
  expect(plainText('a\u001b[2Jb\nc\u0007')).toBe('a�[2Jb c�');
});
