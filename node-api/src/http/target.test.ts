import { expect, it } from 'vitest';
import { hasBrokenEscape, readTarget } from './target.ts';

it.each([
  ['/hello', '/hello', ''],
  ['/hello?', '/hello', ''],
  ['/hello?a=1?b', '/hello', 'a=1?b'],
  ['/?/hello', '/', '/hello'],
  ['//hello', '//hello', ''],
  ['//host/hello', '//host/hello', ''],
  ['/http://host/hello', '/http://host/hello', ''],
  ['/%68ello', '/%68ello', ''],
  ['*', '*', ''],
  ['http://host/hello', '/hello', ''],
  ['HTTP://host:80/hello?q=%zz', '/hello', 'q=%zz'],
  ['http://host', '', ''],
  ['http://host?q=1', '', 'q=1'],
])('reads the target %s', (raw, path, query) => {
  expect(readTarget(raw)).toEqual({ path, query });
});

it.each(['/%zz', '/%', '/hello%2', '/%%20', '/a%0g'])('finds the broken escape in %s', (path) => {
  expect(hasBrokenEscape(path)).toBe(true);
});

it.each(['/hello', '/%68ello', '/%C3%a9', '/%00'])('finds none in %s', (path) => {
  expect(hasBrokenEscape(path)).toBe(false);
});
