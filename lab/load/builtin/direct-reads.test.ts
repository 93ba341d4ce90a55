import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import type { Measurement } from '../../model/measurement.ts';
import type { RunRequest } from '../../model/generator.ts';
import { body, runRequest, testBed } from './test-fixture.ts';

const bed = testBed();
let server: Server | null = null;
const sockets = new Set<Socket>();

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server?.close();
});

/** Loads a server that sends these packets for each request, one by one; `packets` gets the number of the request. */
async function load(
  packets: (request: number) => readonly Buffer[],
  changes: Partial<RunRequest>,
): Promise<Measurement> {
  let requests = 0;
  server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', () => {
      requests += 1;
      void send(socket, packets(requests));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const request = runRequest(url, bed.rawDir, {
    durationMs: 50_000,
    stopWhen: { minDurationMs: 0, minRequests: 40 },
    ...changes,
  });
  return (await bed.generator.run(request, new AbortController().signal)).measurement;
}

async function send(socket: Socket, packets: readonly Buffer[]): Promise<void> {
  for (const packet of packets) {
    socket.write(packet);
    // Time for the client, another process, to see this packet by itself: when it has, nobody tells.
    await delay(2);
  }
}

const headOf = (length: number, cache: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nX-Cache: ${cache}\r\nDate: Mon, 30 Nov 2026 10:00:00 GMT\r\n\r\n`;

/** Cut where it hurts: in a name, in a value, between name and value, in the line end, in the body. */
function inPieces(bytes: Buffer): Buffer[] {
  const at = bytes.indexOf('X-Cache');
  const cuts = [at + 3, at + 8, at + 11, bytes.indexOf('\r\n\r\n') + 2, bytes.length - 5];
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index]));
}

test('a head that comes in pieces is read as it was sent: each X-Cache, each body', async () => {
  const states = ['HIT', 'MISS'];
  const sent = { hit: 0, miss: 0, absent: 0 };
  const measured = await load(
    (request) => {
      const state = states[request % 2]!;
      sent[state === 'HIT' ? 'hit' : 'miss'] += 1;
      return inPieces(Buffer.concat([Buffer.from(headOf(body.length, state)), body]));
    },
    { load: { executor: 'constant-vus', vus: 3 } },
  );
  expect(measured.cache).toEqual(sent);
  expect(measured.failedRequests).toBe(0);
  expect(measured.checks['body is the reference body']).toEqual({ passed: measured.requests, failed: 0 });
});

const large = Buffer.from(JSON.stringify({ count: 3, products: ['a'.repeat(50_000), 'ü'.repeat(50_000), '&'] }));

test('a body of many reads is compared whole, and what differs is quoted as it was sent', async () => {
  const wrong = Buffer.from(large);
  wrong.write('DIFFERS', 40_000);
  const packets = (sent: Buffer): Buffer[] => [Buffer.from(headOf(sent.length, 'HIT')), sent];
  const measured = await load((request) => packets(request % 2 === 0 ? wrong : large), { referenceBody: large });
  const { passed, failed } = measured.checks['body is the reference body']!;
  expect(passed).toBeGreaterThan(0);
  expect(failed).toBeGreaterThan(0);
  expect(passed + failed).toBe(measured.requests);
  expect(measured.failedCheckExamples).toEqual([
    expect.stringContaining(
      'body differs at byte 40000 (150034 bytes, reference 150034), "DIFFERSaaaaa" instead of "aaaaaaaaaaaa"',
    ),
  ]);
});

test('json: a body in chunks whose end comes in a packet of its own is parsed as it was sent', async () => {
  const chunk = (bytes: Buffer): Buffer =>
    Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
  const head = Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
  const halves = [body.subarray(0, 10), body.subarray(10)].map(chunk);
  const measured = await load(() => [head, ...halves, Buffer.from('0\r\n'), Buffer.from('\r\n')], { check: 'json' });
  expect(measured.failedRequests).toBe(0);
  const all = { passed: measured.requests, failed: 0 };
  expect(measured.checks).toEqual({ 'status is 200': all, 'count is as expected': all });
  expect(measured.requests).toBeGreaterThanOrEqual(40);
});

test('an interim answer is a failed request of its own kind: the head behind it would not be safe to read', async () => {
  const hints = Buffer.from('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n');
  const measured = await load(() => [hints, Buffer.from(headOf(body.length, 'HIT')), body], {});
  expect(measured.failedRequests).toBe(measured.requests);
  expect(Object.keys(measured.errors)).toEqual(['status 103']);
  expect(measured.cache.hit).toBe(0);
});
