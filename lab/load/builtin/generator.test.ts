import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BuiltinRaw, mergeHistograms } from '../../model/histogram.ts';
import { Measurement } from '../../model/measurement.ts';
import type { RunRequest } from '../../model/generator.ts';
import { measurementOf } from './measurement.ts';
import { body, runRequest, testBed } from './test-fixture.ts';

/** Ends a run after 60 requests, on a machine of whatever speed. */
const sixtyRequests = { durationMs: 50_000, stopWhen: { minDurationMs: 0, minRequests: 60 } };
/** A run of a fixed length. */
const fixed = (durationMs: number): Partial<RunRequest> => ({
  durationMs,
  stopWhen: { minDurationMs: durationMs, minRequests: 1e9 },
});
const never = new AbortController().signal;
const bed = testBed();

/** Starts a server, loads it, and checks what holds for every measurement. */
async function load(handler: RequestListener, changes: Partial<RunRequest> = {}): Promise<Measurement> {
  const server = await bed.serve(handler);
  const request = runRequest(server.url, bed.rawDir, { ...sixtyRequests, ...changes });
  const { measurement, cpu } = await bed.generator.run(request, never);
  expect(cpu).toBeNull();
  expect(Measurement.parse(measurement)).toEqual(measurement);
  expect(measurement.requestsPerSecond).toBe((measurement.requests * 1000) / measurement.windowMs);
  return measurement;
}

function answer(content: Buffer | string, status = 200, headers: Record<string, string> = {}): RequestListener {
  return (_request, response) => {
    response.writeHead(status, { 'Content-Length': Buffer.byteLength(content), ...headers }).end(content);
  };
}

test('every request that the server saw is counted once, with its bytes, connection and checks', async () => {
  const measured = await load(answer(body), { load: { executor: 'constant-vus', vus: 7 }, ...fixed(300) });
  expect(measured.requests).toBeGreaterThan(0);
  expect(measured.requestsOutsideWindow).toBeGreaterThanOrEqual(7);
  expect(measured.requests + measured.requestsOutsideWindow).toBe(bed.server.received);
  expect(measured.failedRequests).toBe(0);
  expect(measured.bytesReceived).toBe(measured.requests * body.length);
  expect(measured.connectionsOpened).toBe(7);
  expect(measured.checks).toEqual({
    'status is 200': { passed: measured.requests, failed: 0 },
    'body is the reference body': { passed: measured.requests, failed: 0 },
  });
  expect(measured.cache).toEqual({ hit: 0, miss: 0, absent: bed.server.received });
  expect(measured.errors).toEqual({});
  expect(measured.failedCheckExamples).toEqual([]);
});

test('percentiles rise, and the first byte comes before the last', async () => {
  const { latencyMs: total, timeToFirstByteMs: first } = await load(answer(body));
  const ordered = [total.min, total.p50, total.p90, total.p95, total.p99, total.p999, total.max];
  expect(ordered).toEqual(ordered.toSorted((a, b) => a! - b!));
  expect(first.mean!).toBeLessThanOrEqual(total.mean!);
  expect(first.min!).toBeLessThanOrEqual(total.min!);
});

test('the raw file yields the same measurement again', async () => {
  const measured = await load(answer(body), { id: 'again' });
  expect(measured.raw).toBe('raw/again.builtin.json');
  const raw = BuiltinRaw.parse(JSON.parse(await readFile(join(bed.rawDir, 'again.builtin.json'), 'utf8')));
  expect(measurementOf(raw, measured.raw)).toEqual(measured);
  expect(mergeHistograms([raw.latency])).toEqual(measured.latencyMs);
  expect(raw.latency.count).toBe(measured.requests);
  expect(mergeHistograms([raw.latency, raw.latency])).toEqual(measured.latencyMs);
});

test('a body that comes in many chunks is compared like any other', async () => {
  const long = Buffer.alloc(300_000, 'abcdefghij');
  const measured = await load(
    (_request, response) => {
      response.write(long.subarray(0, 1));
      response.write(long.subarray(1, 150_000));
      response.end(long.subarray(150_000));
    },
    { referenceBody: long },
  );
  expect(measured.checks['body is the reference body']).toEqual({ passed: measured.requests, failed: 0 });
  expect(measured.bytesReceived).toBe(measured.requests * long.length);
});

const changed = Buffer.from(body);
changed[body.length - 4] = 'X'.charCodeAt(0);

test.each([
  [
    'one byte different',
    changed,
    `differs at byte ${body.length - 4} (${body.length} bytes, reference ${body.length}), "X\\"]}" instead of "&\\"]}": JSON, count 3`,
  ],
  ['one byte short', body.subarray(0, -1), `differs at byte ${body.length - 1} (${body.length - 1} bytes`],
  ['one byte more', Buffer.concat([body, Buffer.from('\n')]), `differs at byte ${body.length} (`],
  ['empty', Buffer.alloc(0), 'differs at byte 0 (0 bytes'],
  ['HTML', Buffer.from('<html>'), 'not JSON: "<html>"'],
])('bytes: a body that is %s fails its check and is explained', async (_name, wrong, why) => {
  const measured = await load(answer(wrong));
  expect(measured.requests).toBeGreaterThan(0);
  expect(measured.failedRequests).toBe(0);
  expect(measured.checks['status is 200']).toEqual({ passed: measured.requests, failed: 0 });
  expect(measured.checks['body is the reference body']).toEqual({ passed: 0, failed: measured.requests });
  expect(measured.failedCheckExamples).toHaveLength(1);
  expect(measured.failedCheckExamples[0]).toContain(why);
});

test('bytes: only the responses that differ fail, and a good one after a bad one passes', async () => {
  let wrongSent = 0;
  const measured = await load((request, response) => {
    const wrong = bed.server.received % 3 === 0;
    if (wrong) wrongSent += 1;
    answer(wrong ? changed : body)(request, response);
  });
  const check = measured.checks['body is the reference body']!;
  expect(check.passed + check.failed).toBe(measured.requests);
  expect(check.failed).toBeLessThanOrEqual(wrongSent);
  // Those outside the window are few: the lead-in and the drain.
  expect(check.failed).toBeGreaterThanOrEqual(wrongSent - measured.requestsOutsideWindow);
  expect(check.passed).toBeGreaterThan(0);
});

test('at most five examples, whatever differs', async () => {
  let sent = 0;
  const measured = await load((request, response) => {
    answer('x'.repeat((sent += 1)))(request, response);
  });
  expect(measured.failedCheckExamples).toHaveLength(5);
  expect(new Set(measured.failedCheckExamples).size).toBe(5);
});

test.each([
  ['the count that is expected', body, true],
  ['another body with that count', Buffer.from('{"count":3}'), true],
  ['another count', Buffer.from('{"count":4}'), false],
  ['a count that is text', Buffer.from('{"count":"3"}'), false],
  ['no count', Buffer.from('{"message":"Hello!"}'), false],
  ['null', Buffer.from('null'), false],
  ['HTML', Buffer.from('<html></html>'), false],
  ['nothing', Buffer.alloc(0), false],
])('json: %s', async (_name, content, passes) => {
  const measured = await load(answer(content), { check: 'json' });
  const { requests } = measured;
  expect(measured.checks['count is as expected']).toEqual(
    passes ? { passed: requests, failed: 0 } : { passed: 0, failed: requests },
  );
  expect(measured.failedRequests).toBe(0);
});

test('none: a body is taken as it comes, and still counted', async () => {
  const measured = await load(answer('<html>'), { check: 'none' });
  expect(measured.checks).toEqual({ 'status is 200': { passed: measured.requests, failed: 0 } });
  expect(measured.bytesReceived).toBe(measured.requests * 6);
});

test('a status other than 200 is a failed request, by kind, with its body as the example', async () => {
  const measured = await load(answer('{"error":"internal error"}', 500));
  expect(measured.requests).toBeGreaterThan(0);
  expect(measured.failedRequests).toBe(measured.requests);
  expect(measured.checks['status is 200']).toEqual({ passed: 0, failed: measured.requests });
  expect(Object.keys(measured.errors)).toEqual(['status 500']);
  expect(measured.errors['status 500']?.count).toBe(bed.server.received);
  expect(measured.errors['status 500']?.example).toContain('internal error');
  expect(measured.latencyMs.p50).not.toBeNull();
});

test('X-Cache is counted over every response, and checked in the window', async () => {
  const sent = { hit: 0, miss: 0, absent: 0 };
  const measured = await load(
    (request, response) => {
      const state = (['hit', 'miss', 'absent', 'hit'] as const)[bed.server.received % 4]!;
      sent[state] += 1;
      const headers = { hit: { 'X-Cache': 'HIT' }, miss: { 'x-CACHE': 'MISS' }, absent: { 'X-Other': 'HIT' } }[state];
      answer(body, 200, headers)(request, response);
    },
    { expectedCache: 'HIT' },
  );
  expect(measured.cache).toEqual(sent);
  const check = measured.checks['X-Cache is HIT']!;
  expect(check.passed + check.failed).toBe(measured.requests);
  expect(check.passed).toBeLessThanOrEqual(sent.hit);
  expect(check.failed).toBeGreaterThan(0);
  expect(measured.failedCheckExamples.join('\n')).toContain('X-Cache MISS');
});

test('a server that closes each connection is served by a new one each time', async () => {
  const measured = await load(answer(body, 200, { Connection: 'close' }));
  expect(measured.failedRequests).toBe(0);
  expect(measured.requests + measured.requestsOutsideWindow).toBe(bed.server.received);
  expect(measured.connectionsOpened).toBe(bed.server.received);
});

test('a server that hints at a short keep-alive keeps its connections', async () => {
  const measured = await load(answer(body, 200, { Connection: 'keep-alive', 'Keep-Alive': 'timeout=1' }));
  expect(measured.connectionsOpened).toBe(4);
});

test('a run ends early once both minima are reached, and not before', async () => {
  const stopWhen = { minDurationMs: 100, minRequests: 50 };
  const measured = await load(answer(body), { durationMs: 50_000, stopWhen });
  expect(measured.requests).toBeGreaterThanOrEqual(50);
  expect(measured.windowMs).toBeGreaterThanOrEqual(100);
  expect(measured.windowMs).toBeLessThan(50_000);
  expect(measured.requests + measured.requestsOutsideWindow).toBe(bed.server.received);
});

test('where the minimum of requests comes last, the run ends with that request', async () => {
  const stopWhen = { minDurationMs: 0, minRequests: 123 };
  const measured = await load(answer(body), { durationMs: 50_000, stopWhen });
  expect(measured.requests).toBe(123);
});

test('minima that are never reached leave the duration as it is', async () => {
  const measured = await load(answer(body), { durationMs: 150, stopWhen: { minDurationMs: 10, minRequests: 1e9 } });
  expect(measured.windowMs).toBeGreaterThan(100);
});
