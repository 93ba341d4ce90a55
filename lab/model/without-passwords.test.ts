import { expect, test } from 'vitest';
import { withoutPasswords } from './without-passwords.ts';

test.each([
  ['postgres://user:secret@host:5432/db', 'postgres://user:***@host:5432/db'],
  ['--redis-url=redis://:secret@host', '--redis-url=redis://:***@host'],
  ['not encoded: postgres://user:se/c@r e?t#@host/db', 'not encoded: postgres://user:***@host/db'],
  ['go=http://a:secret@b,node=http://c:secret@d', 'go=http://a:***@d'],
  ['http://127.0.0.1:8080/x and redis://host:6379/0', 'http://127.0.0.1:8080/x and redis://host:6379/0'],
  ['postgres://user@host:5432/db', 'postgres://user@host:5432/db'],
])('%s', (text, safe) => {
  expect(withoutPasswords(text)).toBe(safe);
});
