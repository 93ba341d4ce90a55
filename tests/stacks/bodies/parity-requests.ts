import { requestText, type RequestParts } from '../wire/request.ts';

/** What a request has to be answered with. `search`: what the catalogue says of its query string. */
export type Wanted = 'hello' | 'first' | 'cached' | 'search' | 404 | 405;

/** One request that every stack has to answer alike. */
export interface ParityRequest {
  readonly title: string;
  readonly method: string;
  readonly target: string;
  readonly bytes: string;
  readonly wanted: Wanted;
  /** Whether the connection has to serve another request behind it. */
  readonly keepsOpen: boolean;
}

function asking(
  wanted: Wanted,
  method: string,
  target: string,
  parts: RequestParts = {},
  keepsOpen = true,
): ParityRequest {
  const about = [...(parts.headers ?? []), ...(parts.version === undefined ? [] : [`HTTP/${parts.version}`])];
  const shown = target.length > 60 ? `${target.slice(0, 60)}… (${target.length})` : target;
  const title = [`${method} ${shown}`, ...about].join(', ');
  return { title, method, target, bytes: requestText(method, target, parts), wanted, keepsOpen };
}

function search(query: string): ParityRequest {
  return asking('search', 'GET', `/products-where-like?${query}`);
}

const endpoints: readonly [Wanted, string][] = [
  ['hello', '/hello'],
  ['first', '/products'],
  ['search', '/products-where-like'],
  ['cached', '/products-with-cache'],
];

const served: readonly ParityRequest[] = endpoints.flatMap(([wanted, path]) => [
  asking(wanted, 'GET', path),
  asking(wanted, 'HEAD', path),
  asking(wanted, 'GET', `${path}?`),
  asking(wanted, 'GET', `${path}?other=%zz&x=%00&%zz`),
  asking(wanted, 'HEAD', `${path}?x=1`),
  asking(wanted, 'GET', `http://elsewhere.test:81${path}`),
  asking(wanted, 'GET', `HTTPS://user@elsewhere.test${path}?x`),
  asking(wanted, 'GET', path, { version: '1.0', host: null }, false),
  asking(wanted, 'HEAD', path, { version: '1.0', host: null }, false),
  asking(wanted, 'GET', path, { version: '1.0', headers: ['Connection: keep-alive'] }),
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].map((method) => asking(405, method, path)),
]);

const notFound: readonly ParityRequest[] = [
  '/',
  '/nothing',
  '/Hello',
  '/HELLO',
  '/hello/',
  '//hello',
  '/hello//',
  '/./hello',
  '/x/../hello',
  '/hello/.',
  '/hello;x=1',
  '/hello%20',
  '/hello%2F',
  '/%68ello',
  '/%2Fhello',
  '/products%2Dwith-cache',
  '/products/1',
  '/products-where-like/?q=Oak',
  '/helloo',
  '/hell',
  '/hello&x',
  '/hello=',
  '/hello"',
  '/hello|',
  '/hello\\',
  '/hello^{}`<>',
  '/%00',
  '/%ff',
  `/${'a'.repeat(4000)}`,
  '/favicon.ico',
  '/?q=Oak',
  '/__proto__',
  '/constructor',
  'http://elsewhere.test',
  'http://elsewhere.test/',
  'http://elsewhere.test/%68ello',
  'http://elsewhere.test//hello',
  'http://elsewhere.test?x=/hello',
].map((target) => asking(404, 'GET', target));

const otherMethods: readonly ParityRequest[] = [
  ...['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'].map((method) => asking(404, method, '/nothing')),
  asking(404, 'OPTIONS', '*'),
  asking(404, 'GET', '*'),
  asking('hello', 'GET', 'ftp://elsewhere.test/hello'),
  asking('hello', 'GET', 'http://[::1]:80/hello'),
  asking('hello', 'GET', 'http://elsewhere.test:/hello'),
  asking('hello', 'GET', 'http://elsewhere.test/hello?http://other.test/products'),
  asking(405, 'OPTIONS', '/hello?x=1'),
  asking(405, 'POST', '/hello', { headers: ['Content-Length: 5'], body: 'abcde' }),
  asking(405, 'POST', '/products', { headers: ['Content-Length: 0'] }),
  asking(405, 'PUT', '/hello', { headers: ['Transfer-Encoding: chunked'], body: '3\r\nabc\r\n0\r\n\r\n' }),
  asking('hello', 'GET', '/hello', { headers: ['Content-Length: 5'], body: 'abcde' }),
  asking('search', 'GET', '/products-where-like?q=Oak', { headers: ['Content-Length: 2'], body: '{}' }),
  asking(404, 'POST', '/nothing', { headers: ['Content-Length: 5'], body: 'abcde' }),
  asking(405, 'POST', '/hello', { headers: ['Content-Length: 5', 'Expect: 100-continue'] }, false),
  asking('hello', 'GET', '/hello', { headers: ['Connection: Upgrade', 'Upgrade: websocket'] }),
  asking('hello', 'GET', '/hello', {
    headers: ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  }),
  asking('hello', 'GET', '/hello', { headers: ['Accept: text/html', 'Accept-Encoding: gzip, br'] }),
  asking('first', 'GET', '/products', { headers: ['Accept-Encoding: gzip', 'Range: bytes=0-9'] }),
  asking('first', 'GET', '/products', {
    headers: ['If-None-Match: *', 'If-Modified-Since: Sat, 01 Jan 2050 00:00:00 GMT'],
  }),
  asking('hello', 'GET', '/hello', { host: '' }),
  asking('hello', 'GET', '/hello', { host: '[::1]:80' }),
  asking('hello', 'GET', '/hello', { host: 'UPPER.test' }),
  asking('hello', 'GET', '/hello', { headers: [`X-Long: ${'x'.repeat(12_000)}`] }),
  asking('hello', 'GET', '/hello', { headers: Array.from({ length: 1500 }, (_, index) => `X-${index}:`) }),
  asking('hello', 'GET', '/hello', { headers: ['X-Latin: caf\xe9', 'X-Empty:', 'x-same: 1', 'X-SAME: 2'] }),
];

const chair = encodeURIComponent('🪑');

const searches: readonly ParityRequest[] = [
  'q=Oak',
  'q=oak',
  'q=Caf%C3%A9',
  'q=Cafe%CC%81',
  'q=Gr%C3%B6%C3%9Fe',
  'q=%E8%8C%B6',
  `q=${encodeURIComponent('🎁')}`,
  'q=%E2%80%A8',
  'q=%25',
  'q=50%25+w',
  'q=_',
  'q=a_b',
  'q=axb',
  'q=%5C',
  'q=\\',
  'q=C:\\tmp',
  'q=%5C%5C',
  'q=%5C%25',
  'q=%22',
  'q=15"',
  "q='",
  'q=O%27Neil',
  "q=';DROP+TABLE+products;--",
  'q=%3Csmall%3E',
  'q=<small>',
  'q=%26',
  'q=Salt+%26+oil',
  'q=Salt & oil'.replaceAll(' ', '%20'),
  'q=+',
  'q=%2B',
  'q=%09',
  'q=Tab%09pen',
  'q=',
  'q',
  'q=&x=1',
  '&&q=Oak&&',
  'x=1&q=Oak&y=2',
  'q=a=b',
  'q==',
  'q=?',
  'q=Oak?x',
  'q=Oak;x=1',
  'x=1;q=Oak',
  'Q=Oak',
  'qq=Oak',
  '+q=Oak',
  'q+=Oak',
  'q%20=Oak',
  'q[]=Oak',
  '%71=Oak',
  '%71=Oak&q=Cup',
  '%7=Oak',
  '%7',
  'q%=Oak',
  'q%zz=Oak&q=Cup',
  '%00q=Oak',
  'q%00=Oak',
  '%ff=Oak',
  '=Oak',
  '=',
  '__proto__=Oak',
  'q=no+such+row',
  'q=Walnut',
  'q=WALNUT',
  'q=Oak&q=Oak',
  'q=Oak&q=',
  'q&q',
  'q=Oak&%71=Oak',
  'q=Oak&q=%zz',
  'q=%zz',
  'q=%',
  'q=%4',
  'q=%4g',
  'q=Oak%',
  'q=%u0041',
  'q=%00',
  'q=Oak%00',
  'q=%FF',
  'q=%C3',
  'q=%C3%28',
  'q=%C0%AF',
  'q=%ED%A0%80',
  'q=%F4%90%80%80',
  'q=%F0%9F%8E',
  'q=%EF%BB%BFOak',
  'q=%EF%BF%BD',
  'q=%EF%BF%BF',
  'q=%C2%80',
  'q=%7F',
  'q=%01',
  `q=${'a'.repeat(100)}`,
  `q=${'a'.repeat(101)}`,
  `q=${'%61'.repeat(100)}`,
  `q=${'%61'.repeat(101)}`,
  `q=${'+'.repeat(100)}`,
  `q=${'+'.repeat(101)}`,
  `q=${'%C3%A9'.repeat(100)}`,
  `q=${'%C3%A9'.repeat(101)}`,
  `q=${chair.repeat(100)}`,
  `q=${chair.repeat(101)}`,
  `q=${'e%CC%81'.repeat(50)}`,
  `q=${'e%CC%81'.repeat(50)}e`,
  `q=${'%25'.repeat(100)}`,
  `x=${'a'.repeat(5000)}&q=Oak`,
  Array.from({ length: 1200 }, (_, index) => `x${index}=1`).join('&') + '&q=Oak',
].map(search);

/** What every stack is asked and compared in, request by request. */
export const parityRequests: readonly ParityRequest[] = [
  ...served,
  ...notFound,
  ...otherMethods,
  ...searches,
  asking('search', 'HEAD', '/products-where-like?q=Oak'),
  asking('search', 'HEAD', '/products-where-like?q=%zz'),
  asking(405, 'POST', '/products-where-like?q=%zz'),
  asking('search', 'GET', 'http://elsewhere.test/products-where-like?q=Oak'),
  asking('search', 'GET', '/products-where-like?q=Oak', { version: '1.0', host: null }, false),
];
