import { describe, expect, it } from 'vitest';
import { judge, type Head } from './judge.ts';

const maxHeaderBytes = 16_384;
const good: Head = { method: 'GET', url: '/hello', httpVersionMajor: 1, rawHeaders: ['Host', 'localhost:8081'] };
const judged = (change: Partial<Head>) => judge({ ...good, ...change }, maxHeaderBytes);

describe('the head of a request', () => {
  it.each<Partial<Head>>([
    {},
    { method: 'POST' },
    { method: 'PATCH' },
    { method: 'TRACE', url: '*' },
    { url: '/%68ello' },
    { url: '/products-where-like?q=%zz' },
    { url: 'http://host/hello?q=%' },
    { rawHeaders: [] },
    { rawHeaders: ['HOST', '[::1]:8081'] },
    { rawHeaders: ['host', ''] },
    { rawHeaders: ['Transfer-Encoding', 'Chunked'] },
    { rawHeaders: ['Echo', 'a b', 'Echo', 'a b'] },
  ])('is good: %j', (change) => {
    expect(judged(change)).toHaveProperty('target');
  });

  it.each<Partial<Head>>([
    { method: 'PROPFIND' },
    { method: 'M-SEARCH' },
    { method: 'QUERY' },
    { httpVersionMajor: 0 },
    { httpVersionMajor: 2 },
    { url: '/%zz' },
    { url: 'http://host/%2' },
    { url: 'http://host:port/hello' },
    { rawHeaders: ['Host', 'a', 'host', 'a'] },
    { rawHeaders: ['Host', 'a b'] },
    { rawHeaders: ['Host', 'a/b'] },
    { rawHeaders: ['Host', '\u00ff'] },
    { rawHeaders: ['Transfer-Encoding', 'gzip'] },
    { rawHeaders: ['Transfer-Encoding', 'gzip, chunked'] },
  ])('is refused: %j', (change) => {
    expect(judged(change)).toEqual({ fault: 400 });
  });

  it('may have as many bytes as the contract says, and no more', () => {
    // GET /hello HTTP/1.1⏎ is 21 bytes, X: …⏎ has 5 beside its value, ⏎ 2.
    const longest = maxHeaderBytes - 21 - 5 - 2;
    expect(judged({ rawHeaders: ['X', 'a'.repeat(longest)] })).toEqual({ target: '/hello' });
    expect(judged({ rawHeaders: ['X', 'a'.repeat(longest + 1)] })).toEqual({ fault: 431 });
    expect(judged({ rawHeaders: Array.from({ length: 5000 }, () => 'ab') })).toEqual({ fault: 431 });
  });
});
