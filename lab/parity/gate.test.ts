import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../model/contract.ts';
import { parityGate, primeCache, type Target } from './gate.ts';

const servers: Server[] = [];
const noKey = (): Promise<void> => Promise.resolve();

async function serve(variant: string, listener: RequestListener): Promise<Target> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { variant, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

function answering(body: string, headers: Record<string, string> = {}, status = 200): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(body);
  };
}

afterAll(() => {
  for (const server of servers) server.close();
});

const hello: Endpoint = { id: 'hello', path: '/hello', title: 'hello', touches: [] };
const rows: Endpoint = { ...hello, id: 'rows', query: { file: 'rows.sql', expectedCount: 2 } };
const cached: Endpoint = { ...rows, id: 'cached', cache: { key: 'k', ttlSeconds: 60 } };
const twoRows = '{"count":2,"rows":[{"id":1},{"id":2}]}';

describe('the parity gate', () => {
  test('passes the same bytes, keeps them as the reference body, and records hop-by-hop headers', async () => {
    const a = await serve('a', answering(twoRows));
    const b = await serve('b', answering(twoRows, { connection: 'close' }));
    const { result, referenceBody } = await parityGate(rows, [a, b], noKey);
    expect(result).toMatchObject({ passed: true, difference: null, status: 200, bodyBytes: twoRows.length });
    expect(referenceBody?.toString()).toBe(twoRows);
    expect(result.hopByHop.b).toMatchObject({ connection: 'close' });
  });

  test.each<[string, RequestListener, RegExp]>([
    ['one byte of the body', answering(twoRows.replace('"id":2', '"id":3')), /^body, byte 35: a has 0x32 .*b 0x33/],
    ['the length', answering(`${twoRows} `), /b 0x20 .*\(38 and 39 bytes in all\)|header content-length/],
    ['the status', answering(twoRows, {}, 201), /^status: a answers 200, b 201/],
    [
      'a header value',
      answering(twoRows, { 'content-type': 'text/plain' }),
      /^header content-type: a sends "application\/json", b "text\/plain"/,
    ],
    ['a header more', answering(twoRows, { 'x-powered-by': 'me' }), /^header x-powered-by: a sends none, b "me"/],
  ])('names the first difference: %s', async (_, listener, line) => {
    const a = await serve('a', answering(twoRows));
    const b = await serve('b', listener);
    const { result, referenceBody } = await parityGate(rows, [a, b], noKey);
    expect(result.passed).toBe(false);
    expect(result.difference).toMatch(line);
    expect(referenceBody).toBeNull();
  });

  test.each<[string, string, RegExp]>([
    ['is not JSON', '<html>', /a: the body is not JSON/],
    ['says another count', '{"count":1,"rows":[{}]}', /a: count is 1, 2 is wanted/],
    ['says no count', '{"rows":[]}', /a: count is missing, 2 is wanted/],
    ['counts what is not there', '{"count":2,"rows":[{}]}', /a: count says 2, the body holds 1 rows/],
  ])('does not let two equal wrongs pass: a body that %s', async (_, body, line) => {
    const a = await serve('a', answering(body));
    const b = await serve('b', answering(body));
    expect((await parityGate(rows, [a, b], noKey)).result.difference).toMatch(line);
  });

  test('a server that does not answer fails the gate, in one line', async () => {
    const a = await serve('a', answering('{}'));
    const { result } = await parityGate(hello, [a, { variant: 'b', baseUrl: 'http://127.0.0.1:9' }], noKey);
    expect(result.difference).toMatch(/^no answer from http:\/\/127\.0\.0\.1:9\/hello/);
  });
});

describe('the cache', () => {
  let held = false;
  const caching: RequestListener = (request, response) => {
    answering(twoRows, { 'x-cache': held ? 'HIT' : 'MISS' })(request, response);
    held = true;
  };
  const deleteKey = (): Promise<void> => {
    held = false;
    return Promise.resolve();
  };

  test('a MISS, then a HIT, for every variant by itself', async () => {
    const a = await serve('a', caching);
    const b = await serve('b', caching);
    expect((await parityGate(cached, [a, b], deleteKey)).result).toMatchObject({ passed: true });
    expect(await primeCache(cached, a, deleteKey)).toBeNull();
  });

  test('a cache that never hits is refused', async () => {
    const a = await serve('a', answering(twoRows, { 'x-cache': 'MISS' }));
    expect(await primeCache(cached, a, deleteKey)).toMatch(
      /X-Cache: a answers MISS after the key was deleted, then MISS/,
    );
  });

  test('an entry that outlives its deletion is refused', async () => {
    const a = await serve('a', answering(twoRows, { 'x-cache': 'HIT' }));
    expect(await primeCache(cached, a, deleteKey)).toMatch(/answers HIT after the key was deleted/);
  });
});
