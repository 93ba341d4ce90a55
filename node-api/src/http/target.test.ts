import { expect, it } from 'vitest';
import { hasBrokenEscape, originForm, readTarget } from './target.ts';

it.each([
  ['/hello', '/hello'],
  ['//hello', '//hello'],
  ['//host/hello', '//host/hello'],
  ['/http://host/hello', '/http://host/hello'],
  ['*', '*'],
  ['http://host/hello', '/hello'],
  ['http://host//hello', '//hello'],
  ['HTTP://user:password@host:80/hello?q=%zz', '/hello?q=%zz'],
  ['http://[::1]/%68ello', '/%68ello'],
  ['http://host', '/'],
  ['http://host?q=1', '/?q=1'],
  ['http://host:port/hello', undefined],
  ['http://ho%zzst/hello', undefined],
  ['hello', undefined],
])('takes the host from %s', (raw, origin) => {
  expect(originForm(raw)).toBe(origin);
});

it.each([
  ['/hello', '/hello', ''],
  ['/hello?', '/hello', ''],
  ['/hello?a=1?b', '/hello', 'a=1?b'],
  ['/?/hello', '/', '/hello'],
  ['/%68ello', '/%68ello', ''],
  ['*', '*', ''],
])('splits the target %s', (origin, path, query) => {
  expect(readTarget(origin)).toEqual({ path, query });
});

it.each(['/%zz', '/%', '/hello%2', '/%%20', '/a%0g'])('finds the broken escape in %s', (path) => {
  expect(hasBrokenEscape(path)).toBe(true);
});

it.each(['/hello', '/%68ello', '/%C3%a9', '/%00'])('finds none in %s', (path) => {
  expect(hasBrokenEscape(path)).toBe(false);
});
