import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../events/log.ts';
import { DatabaseError } from '../products/database-error.ts';
import { exchange, open, receive, statuses } from '../testing/raw-http.ts';
import { ok } from './answer.ts';
import { createApp, type Route } from './app.ts';
import { createReply } from './reply.ts';
import { LabServer } from './server.ts';

const maxHeaderBytes = 16_384;

let server: LabServer;
let url: string;
let lines: string[];
/** Ends the answers of /slow. */
let release: () => void;
/** Settles when a request for /slow has arrived. */
let arrived: Promise<void>;

beforeEach(async () => {
  lines = [];
  let arrive: () => void = () => undefined;
  arrived = new Promise((resolve) => (arrive = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  const both = ['GET', 'HEAD'] as const;
  const routes: Route[] = [
    { path: '/hello', methods: both, answer: () => ok('{"message":"Hello!"}') },
    { path: '/echo', methods: both, answer: (query) => ok(JSON.stringify(query)) },
    { path: '/health', methods: ['GET'], answer: () => ok('{}') },
    {
      path: '/slow',
      methods: both,
      answer: async () => {
        arrive();
        await released;
        return ok('"slow"');
      },
    },
    { path: '/busy', methods: both, answer: () => Promise.reject(new DatabaseError('busy', new Error())) },
    { path: '/defect', methods: both, answer: () => Promise.reject(new TypeError('x is not a function')) },
    {
      path: '/defect-at-once',
      methods: both,
      answer: () => {
        throw new TypeError('y is not a function');
      },
    },
  ];
  server = new LabServer({ maxHeaderBytes, keepAliveTimeoutMs: 75_000 });
  const reply = createReply(() => server.isClosing());
  const log = createLog((line) => lines.push(line));
  url = `http://127.0.0.1:${await server.listen(createApp({ routes, retryAfterSeconds: 1, reply, log }), '127.0.0.1', 0)}`;
});

afterEach(async () => {
  release();
  await server.drain();
});

/** One request, as a client of the fetch kind sees its answer. */
async function ask(path: string, method = 'GET') {
  const response = await fetch(url + path, { method, headers: { connection: 'close' } });
  const hopByHop = ['date', 'connection', 'keep-alive'];
  const headers = [...response.headers].filter(([name]) => !hopByHop.includes(name));
  return { status: response.status, body: await response.text(), headers: Object.fromEntries(headers) };
}

const json = 'application/json; charset=utf-8';
const get = (target: string, more = '') => `GET ${target} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

describe('an answer', () => {
  it('has exactly the headers of the contract', async () => {
    expect(await ask('/hello')).toEqual({
      status: 200,
      body: '{"message":"Hello!"}',
      headers: { 'content-type': json, 'content-length': '20' },
    });
  });

  it('to HEAD is that to GET without its body', async () => {
    for (const path of ['/hello', '/nowhere', '/busy']) {
      const [head, whole] = [await ask(path, 'HEAD'), await ask(path)];
      expect(head).toEqual({ ...whole, body: '' });
    }
  });

  it.each(['/nowhere', '/', '/hello/', '/HELLO', '//hello', '/%68ello', '/hello%00', '/x/../hello', '/hello;a'])(
    'to %s is 404',
    async (path) => {
      const { text } = await exchange(url, get(path), 1);
      expect(text).toMatch(/^HTTP\/1\.1 404 [^]*\r\n\r\n\{"error":"not found"\}$/);
    },
  );

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('to %s is 405, or 404 elsewhere', async (method) => {
    expect(await ask('/hello', method)).toEqual({
      status: 405,
      body: '{"error":"method not allowed"}',
      headers: { 'content-type': json, 'content-length': '30', allow: 'GET, HEAD' },
    });
    expect(await ask('/nowhere', method)).toMatchObject({ status: 404 });
  });

  it('to HEAD of what knows GET only is 405', async () => {
    expect(await ask('/health', 'HEAD')).toMatchObject({ status: 405, headers: { allow: 'GET' } });
  });

  it('says when to try again where the database is busy', async () => {
    expect(await ask('/busy')).toEqual({
      status: 503,
      body: '{"error":"database busy"}',
      headers: { 'content-type': json, 'content-length': '25', 'retry-after': '1' },
    });
    expect(lines).toEqual([]);
  });

  it.each(['/defect', '/defect-at-once'])('to %s is 500, with an event', async (path) => {
    expect(await ask(path)).toMatchObject({ status: 500, body: '{"error":"internal error"}' });
    expect(lines.join('')).toMatch(/"event":"defect","error":"TypeError/);
    expect(await ask('/hello')).toMatchObject({ status: 200 });
  });
});

describe('a connection', () => {
  it.each([
    ['absolute form', get('http://host:80/echo?a=%zz'), '"a=%zz"'],
    ['a body that GET has no use for', get('/hello', 'Content-Length: 3\r\n') + 'abc', 'Hello'],
    ['an upgrade', get('/hello', 'Connection: Upgrade\r\nUpgrade: websocket\r\n'), 'Hello'],
    ['HTTP/1.0 without Host', 'GET /hello HTTP/1.0\r\n\r\n', 'Hello'],
    ['a `?` in the query string', get('/echo?a=1?b'), '"a=1?b"'],
  ])('takes %s', async (_, request, expected) => {
    const { text } = await exchange(url, request, 1);
    expect(statuses(text)).toEqual([200]);
    expect(text).toContain(expected);
  });

  it.each([
    ['a broken escape', get('/%zz'), 400],
    ['an unknown method', 'FOO /hello HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['a method that only the parser knows', 'PROPFIND /hello HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['CONNECT', 'CONNECT host:80 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['no Host', 'GET /hello HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', get('/hello', 'Host: x\r\n'), 400],
    ['HTTP/2.0', 'GET /hello HTTP/2.0\r\nHost: x\r\n\r\n', 400],
    ['raw bytes', get('/hello\xa0'), 400],
    ['no HTTP at all', '\x16\x03\x01\x02\r\n\r\n', 400],
    ['an unknown transfer coding', get('/hello', 'Transfer-Encoding: gzip\r\n'), 400],
    ['one long header', get('/hello', `X: ${'a'.repeat(maxHeaderBytes)}\r\n`), 431],
    ['a header far too long', get('/hello', `X: ${'a'.repeat(20 * maxHeaderBytes)}\r\n`), 431],
    ['many headers', get('/hello', 'ab: cd\r\n'.repeat(maxHeaderBytes / 8)), 431],
    ['a long target', get(`/${'a'.repeat(maxHeaderBytes)}`), 431],
  ])('closes after %s', async (_, request, status) => {
    const { text, closed } = await exchange(url, request, 2);
    expect(statuses(text)).toEqual([status]);
    expect(text).toContain('Connection: close');
    expect(closed).toBe(true);
  });

  it('answers pipelined requests in turn, and the broken one after them', async () => {
    const request = get('/slow') + get('/hello') + '%%%\r\n\r\n';
    const socket = await open(url);
    socket.write(request);
    await arrived;
    release();
    const { text, closed } = await receive(socket, 4);
    expect(statuses(text)).toEqual([200, 200, 400]);
    expect(closed).toBe(true);
  });

  it('does not look behind a request that closes', async () => {
    const { text } = await exchange(url, get('/hello', 'Connection: close\r\n') + get('/hello'), 3);
    expect(statuses(text)).toEqual([200]);
  });

  it('gives a request with a broken body one answer', async () => {
    const broken = 'POST /hello HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n';
    const { text, closed } = await exchange(url, broken, 2);
    expect(statuses(text)).toEqual([405]);
    expect(closed).toBe(true);
  });

  it('is not asked for a body that nobody reads', async () => {
    const head = 'POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n';
    const { text, closed } = await exchange(url, head, 2);
    expect(statuses(text)).toEqual([405]);
    expect(closed).toBe(true);
  });
});

describe('a server that stops', () => {
  it('answers what is in flight, says that the connection ends, and closes idle connections at once', async () => {
    const [silent, idle, busy] = [await open(url), await open(url), await open(url)];
    idle.write(get('/hello'));
    await receive(idle, 1);
    busy.write(get('/slow'));
    await arrived;

    const drained = server.drain();
    await Promise.all([once(silent, 'close'), once(idle, 'close')]);
    expect(busy.closed).toBe(false);
    release();
    const { text } = await receive(busy, 2);
    expect(text).toContain('Connection: close');
    expect(text).toContain('"slow"');
    await drained;
    await expect(open(url)).rejects.toThrow('ECONNREFUSED');
  });

  it('does not wait long for a request that never comes whole', async () => {
    const socket = await open(url);
    socket.write('GET /hello HT');
    await expect(ask('/hello')).resolves.toMatchObject({ status: 200 });
    const closed = once(socket, 'close');
    await server.drain();
    await closed;
  });
});
