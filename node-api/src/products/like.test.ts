import { expect, it } from 'vitest';
import { containing } from './like.ts';

it.each([
  ['Walnut', '%Walnut%'],
  ['', '%%'],
  ['50%', String.raw`%50\%%`],
  ['a_b', String.raw`%a\_b%`],
  [String.raw`C:\tmp`, String.raw`%C:\\tmp%`],
  [String.raw`\%_`, String.raw`%\\\%\_%`],
  ['$& $1', '%$& $1%'],
])('escapes %j', (text, pattern) => {
  expect(containing(text)).toBe(pattern);
});
