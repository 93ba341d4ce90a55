import { expect, it } from 'vitest';
import { isUsable } from './products-with-cache.ts';

it.each([
  ['{"count":0,"products":[]}', true],
  ['{"count":]}', true],
  ['', false],
  ['{"count":', false],
  [']}', false],
  ['{"count":1,"products":[{"id":1', false],
  [' {"count":0,"products":[]}', false],
  ['{"count":0,"products":[]}\n', false],
  ['hello', false],
])('judges the entry %j', (entry, usable) => {
  expect(isUsable(Buffer.from(entry))).toBe(usable);
});
