import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
    // The client's turn: it must see the packets one by one, or none of this would test anything.
    await nextTurn();
    await nextTurn();
  }
}

const headOf = (length: number, cache: string): string =>
  `HTTP/1.1 200 OK\r\nContent-Length: ${length}\r\nX-Cache: ${cache}\r\nDate: Mon, 30 Nov 2026 10:00:00 GMT\r\n\r\n`;

function bytewise(bytes: Buffer): Buffer[] {
  return Array.from(bytes, (byte) => Buffer.of(byte));
}

test('a head that comes byte by byte is read as it was sent: each X-Cache, each body', async () => {
  const states = ['HIT', 'MISS'];
  const sent = { hit: 0, miss: 0, absent: 0 };
  const measured = await load(
    (request) => {
      const state = states[request % 2]!;
      sent[state === 'HIT' ? 'hit' : 'miss'] += 1;
      return bytewise(Buffer.concat([Buffer.from(headOf(body.length, state)), body]));
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
  expect(Object.values(measured.checks).every(({ failed }) => failed === 0)).toBe(true);
  expect(measured.requests).toBeGreaterThanOrEqual(40);
});
