import { METHODS } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { Address, Bed } from '../bed.ts';
import type { Runner } from '../running.ts';
import { get, requestText, statusesIn, untilClosed } from '../wire/request.ts';

const known = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']);
const unknownMethods = [...METHODS.filter((method) => !known.has(method)), 'FOO', 'get', 'GETT', 'G\x01T'];

const badTargets = [
  '/%zz',
  '/%',
  '/%4',
  '/hello%',
  '/hello%2',
  '/hello%g0',
  '/nothing/%%41',
  '/\x80',
  '/hello\xff',
  '/caf\xc3\xa9',
  '/hello?\xc3\xa9',
  '/products-where-like?q=\xff',
  '/\x7f',
  '/hello?\x7f',
  '/\x01',
  '/hello\x00',
  'hello',
  '?q=Oak',
  'http://elsewhere.test:port/hello',
  'http://elsewhere.test/%zz',
  'http://elsewhere%zz/hello',
  '1x://elsewhere.test/hello',
];

const badHeads: readonly [string, string][] = [
  ['two Hosts', 'GET /hello HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n'],
  ['two Hosts, in other cases', 'GET /hello HTTP/1.1\r\nHost: a\r\nHOST: b\r\n\r\n'],
  ['no Host', 'GET /hello HTTP/1.1\r\n\r\n'],
  ...['a b', 'a/b', 'a?b', 'a#b', '<a>', 'a"', 'a\\b', 'user@a', 'caf\xe9'].map((host): [string, string] => [
    `Host: ${host}`,
    `GET /hello HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
  ]),
  ['two Hosts, HTTP/1.0', 'GET /hello HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n'],
  ['a malformed Host, HTTP/1.0', 'GET /hello HTTP/1.0\r\nHost: a b\r\n\r\n'],
  ['HTTP/1.10', 'GET /hello HTTP/1.10\r\nHost: a\r\n\r\n'],
  ['a space behind the version', 'GET /hello HTTP/1.1 \r\nHost: a\r\n\r\n'],
  ['HTTP/2.0', 'GET /hello HTTP/2.0\r\nHost: a\r\n\r\n'],
  ['HTTP/1.2', 'GET /hello HTTP/1.2\r\nHost: a\r\n\r\n'],
  ['HTTP/0.9', 'GET /hello HTTP/0.9\r\nHost: a\r\n\r\n'],
  ['no version', 'GET /hello\r\nHost: a\r\n\r\n'],
  ['another protocol', 'GET /hello FTP/1.1\r\nHost: a\r\n\r\n'],
  ['lower-case http', 'GET /hello http/1.1\r\nHost: a\r\n\r\n'],
  ['the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['no HTTP at all', 'hello, is there anybody?\r\n\r\n'],
  ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ['a header without a colon', 'GET /hello HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
  ['a space before the colon', 'GET /hello HTTP/1.1\r\nHost: a\r\nX-A : 1\r\n\r\n'],
  ['a header without a name', 'GET /hello HTTP/1.1\r\nHost: a\r\n: 1\r\n\r\n'],
  ['a header name that is no token', 'GET /hello HTTP/1.1\r\nHost: a\r\nX(A): 1\r\n\r\n'],
  ['a control character in a header', 'GET /hello HTTP/1.1\r\nHost: a\r\nX-A: \x01\r\n\r\n'],
  ['a NUL in a header', 'GET /hello HTTP/1.1\r\nHost: a\r\nX-A: 1\x002\r\n\r\n'],
  ['a Content-Length that is no number', 'POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n'],
  ['a negative Content-Length', 'POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n'],
  ['a signed Content-Length', 'POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: +3\r\n\r\nabc'],
  ['a list of Content-Lengths', 'POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: 3, 3\r\n\r\nabc'],
  ['two Content-Lengths', 'POST /hello HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
  ['two transfer codings', 'POST /hello HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'],
  ['an unknown transfer coding', 'POST /hello HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n'],
];

/** What no handler sees: status 400, or 431 where the head is too large, and the connection closes. */
export function refusalTests(bed: Bed, runners: readonly Runner[]): void {
  describe('refusals', () => {
    const refusals: readonly [string, string][] = [
      ...unknownMethods.map((method): [string, string] => [
        `method ${JSON.stringify(method)}`,
        requestText(method, '/hello'),
      ]),
      ['CONNECT of an authority', requestText('CONNECT', 'elsewhere.test:443')],
      ['an unknown method on an unknown path', requestText('FOO', '/nothing')],
      ...badTargets.map((target): [string, string] => [`target ${JSON.stringify(target)}`, requestText('GET', target)]),
      ...badHeads,
    ];

    test.each(refusals)('400: %s', async (_, bytes) => {
      for (const { id, process } of runners) expect(await refusalOf(process.address, bytes), id).toEqual([400]);
    });

    test.each<[string, string]>([
      ['one header', requestText('GET', '/hello', { headers: [`X-Long: ${'x'.repeat(20_000)}`] })],
      [
        'many headers',
        requestText('GET', '/hello', { headers: Array.from({ length: 200 }, () => `X-A: ${'x'.repeat(100)}`) }),
      ],
      ['a target', requestText('GET', `/${'a'.repeat(20_000)}`)],
      ['an unknown path', requestText('GET', '/nothing', { headers: [`X-Long: ${'x'.repeat(20_000)}`] })],
    ])('431: more than maxHeaderBytes in %s', async (_, bytes) => {
      for (const { id, process } of runners) expect(await refusalOf(process.address, bytes), id).toEqual([431]);
    });

    test('the limit is the same to within a few bytes', async () => {
      const { maxHeaderBytes } = bed.contract.limits;
      for (const [bytes, status] of [
        [maxHeaderBytes - 64, 200],
        [maxHeaderBytes + 64, 431],
      ] as const) {
        const frame = requestText('GET', '/hello', { headers: ['Connection: close', 'X-Long: '] }).length;
        const request = requestText('GET', '/hello', {
          headers: ['Connection: close', `X-Long: ${'x'.repeat(bytes - frame)}`],
        });
        expect(request.length).toBe(bytes);
        for (const { id, process } of runners) {
          expect(statusesIn(await untilClosed(process.address, request)), `${id}, ${bytes} bytes`).toEqual([status]);
        }
      }
    });

    test('a refusal behind a good request leaves that one its answer', async () => {
      const bytes = requestText('GET', '/products') + requestText('GET', '/%zz');
      for (const { id, process } of runners) {
        expect(statusesIn(await untilClosed(process.address, bytes)), id).toEqual([200, 400]);
      }
    });

    test('and every stack is well afterwards', async () => {
      for (const { id, process } of runners) {
        expect((await get(process.address, '/hello')).status, id).toBe(200);
        expect(process.stderr(), id).not.toContain('"event":"defect"');
      }
    });
  });
}

/** The statuses that came before the server closed: nothing that comes behind a refusal is answered. */
async function refusalOf(address: Address, bytes: string): Promise<number[]> {
  return statusesIn(await untilClosed(address, bytes + requestText('GET', '/hello')));
}
