import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RequestListener } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LabError } from '../../model/errors.ts';
import type { Generator, RunRequest } from '../../model/generator.ts';
import { Measurement } from '../../model/measurement.ts';
import type { K6Binary } from './find.ts';
import { createK6Generator } from './generator.ts';
import {
  answer,
  cachedEndpoint,
  k6OrReason,
  needK6,
  patientContract,
  productsBody,
  runRequest,
  startServer,
  type TestServer,
} from './test-fixture.ts';

let k6: K6Binary | string;
let generator: Generator;
let rawDir: string;
let server: TestServer | null = null;

beforeAll(async () => {
  k6 = await k6OrReason();
  if (typeof k6 !== 'string') generator = await createK6Generator({ contractDir: await patientContract() });
});

beforeEach(async (context) => {
  needK6(context, k6);
  rawDir = join(await mkdtemp(join(tmpdir(), 'loadlab-k6-test-')), 'raw');
});

afterEach(async () => {
  await server?.close();
  server = null;
  vi.unstubAllEnvs();
});

async function serve(listener: RequestListener): Promise<TestServer> {
  server = await startServer(listener);
  return server;
}

async function run(listener: RequestListener, changes: Partial<RunRequest> = {}): Promise<Measurement> {
  const { url } = await serve(listener);
  const { measurement } = await generator.run(runRequest(url, rawDir, changes), new AbortController().signal);
  return Measurement.parse(measurement);
}

/** A generator whose /products scenario is the given script. */
async function withScript(script: string): Promise<Generator> {
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-k6-script-'));
  await writeFile(join(folder, 'products.ts'), script);
  return createK6Generator({ scenariosDir: folder });
}

const good: RequestListener = (_, response) => {
  answer(response, productsBody);
};

const allNull = { mean: null, min: null, p50: null, p90: null, p95: null, p99: null, p999: null, max: null };

describe('a run against a server that answers well', () => {
  it('counts what the server saw, less what the end of the window cut off', async () => {
    const { url, requests } = await serve(good);
    const request = runRequest(url, rawDir);
    const { measurement, cpu } = await generator.run(request, new AbortController().signal);
    expect(Measurement.parse(measurement)).toEqual(measurement);
    expect(measurement).toMatchObject({
      windowMs: 1000,
      requestsOutsideWindow: 0,
      failedRequests: 0,
      errors: {},
      failedCheckExamples: [],
      exitCode: 0,
      raw: 'raw/run.k6.json',
    });
    expect(measurement.requests).toBeGreaterThan(0);
    expect(requests() - measurement.requests).toBeGreaterThanOrEqual(0);
    expect(requests() - measurement.requests).toBeLessThanOrEqual(request.load.vus);
    expect(measurement.requestsPerSecond).toBe(measurement.requests);
    for (const { passed, failed } of Object.values(measurement.checks)) {
      expect(failed).toBe(0);
      expect(measurement.requests - passed).toBeLessThanOrEqual(request.load.vus);
    }
    expect(Object.keys(measurement.checks)).toEqual(['status is 200', 'body is the reference body']);
    expect(measurement.latencyMs.p95).toBeGreaterThan(0);
    expect(measurement.bytesReceived / measurement.requests).toBeGreaterThan(Buffer.byteLength(productsBody));
    expect(Math.abs(Date.parse(measurement.startedAt) - Date.now())).toBeLessThan(60_000);
    expect(existsSync(join(rawDir, 'run.k6.json'))).toBe(true);
    if (process.platform === 'linux') {
      expect(cpu?.userMs).toBeGreaterThan(0);
      expect(cpu?.peakResidentBytes).toBeGreaterThan(1e6);
    }
  });

  it('keeps setup data out of the raw file, and says there what was run', async () => {
    await run(good);
    const raw = JSON.parse(readFileSync(join(rawDir, 'run.k6.json'), 'utf8')) as Record<string, unknown>;
    expect(raw).not.toHaveProperty('setup_data');
    expect(raw.loadlab).toMatchObject({
      endpoint: 'products',
      stack: 'test',
      vus: 4,
      durationMs: 1000,
      check: 'bytes',
    });
  });

  it.each([
    ['json', ['status is 200', 'count is as expected']],
    ['none', ['status is 200']],
  ] as const)('checks what CHECK=%s says', async (check, names) => {
    const measurement = await run(good, { check });
    expect(Object.keys(measurement.checks)).toEqual(names);
    expect(measurement.exitCode).toBe(0);
    expect(Object.values(measurement.checks).every(({ failed }) => failed === 0)).toBe(true);
  });

  it('counts X-Cache', async () => {
    const measurement = await run((_, response) => {
      answer(response, productsBody, { xCache: 'HIT' });
    }, cachedEndpoint);
    expect(measurement.checks['X-Cache is HIT']).toMatchObject({ failed: 0 });
    expect(measurement.cache).toMatchObject({ miss: 0, absent: 0 });
    expect(measurement.requests - measurement.cache.hit).toBeLessThanOrEqual(4);
  });

  it("is not changed by the user's K6_ variables or those of a scenario", async () => {
    vi.stubEnv('K6_VUS', '3');
    vi.stubEnv('K6_DURATION', '9s');
    vi.stubEnv('STOP_AFTER_REQUESTS', '1');
    vi.stubEnv('CHECK', 'foo');
    expect(await run(good)).toMatchObject({ exitCode: 0, windowMs: 1000 });
  });
});

describe('failing responses are a measurement that says so', () => {
  it('status 500', async () => {
    const measurement = await run((_, response) => {
      answer(response, '{"error":"internal error"}', { status: 500 });
    });
    expect(measurement.exitCode).toBe(99);
    expect(measurement.requests).toBeGreaterThan(0);
    expect(measurement.failedRequests).toBe(measurement.requests);
    expect(measurement.checks['status is 200']).toMatchObject({ passed: 0 });
    expect(measurement.errors['status 500']?.example).toContain('500 Internal Server Error');
    expect(measurement.latencyMs).toEqual(allNull);
    expect(measurement.failedCheckExamples).toContain('status is 200: status 500');
  });

  it.each([
    ['HTML', '<html>busy</html>'],
    ['an empty body', ''],
    ['JSON null', 'null'],
  ])('%s where JSON is parsed: failed checks, not the end of the iteration', async (_, body) => {
    const measurement = await run(
      (_request, response) => {
        answer(response, body);
      },
      { check: 'json' },
    );
    expect(measurement.exitCode).toBe(99);
    expect(measurement.failedRequests).toBe(0);
    expect(measurement.checks['count is as expected']).toMatchObject({ passed: 0 });
    expect(measurement.checks['count is as expected']?.failed).toBeGreaterThan(4);
  });

  it('one byte that is another, also one that text could not show', async () => {
    const body = Buffer.from(productsBody);
    // Half of a two-byte letter: no UTF-8 any more.
    body[body.indexOf(0xc3)] = 0xff;
    const measurement = await run((_, response) => {
      answer(response, body);
    });
    expect(measurement.exitCode).toBe(99);
    expect(measurement.checks['body is the reference body']).toMatchObject({ passed: 0 });
    expect(measurement.failedCheckExamples[0]).toContain(`first difference at character ${productsBody.indexOf('ä')}`);
  });

  it('a cache that never hits', async () => {
    const measurement = await run((_, response) => {
      answer(response, productsBody, { xCache: 'MISS' });
    }, cachedEndpoint);
    expect(measurement.exitCode).toBe(99);
    expect(measurement.checks['X-Cache is HIT']).toMatchObject({ passed: 0 });
    expect(measurement.checks['status is 200']).toMatchObject({ failed: 0 });
    expect(measurement.cache).toMatchObject({ hit: 0, absent: 0 });
    expect(measurement.cache.miss).toBeGreaterThan(0);
    expect(measurement.failedCheckExamples).toEqual(['X-Cache is HIT: X-Cache is MISS']);
  });

  it('a redirect is a wrong answer, not a detour', async () => {
    const measurement = await run((_, response) => {
      response.writeHead(302, { location: '/elsewhere', 'content-length': 0 }).end();
    });
    expect(measurement.failedRequests).toBe(measurement.requests);
    expect(measurement.errors).toHaveProperty('status 302');
  });

  it('a server that dies in the middle', async () => {
    let seen = 0;
    const measurement = await run((_, response) => {
      seen += 1;
      if (seen === 10) server?.die();
      else answer(response, productsBody);
    });
    expect(measurement.exitCode).toBe(99);
    expect(measurement.failedRequests).toBeGreaterThan(0);
    expect(measurement.errors.ECONNREFUSED?.example).toContain('connection refused');
    // Refused connections take no time: they must not make the server look fast.
    expect(measurement.latencyMs.min).toBeGreaterThan(0);
  });

  it('a server that answers nothing: no requests, no figures', async () => {
    const measurement = await run(() => undefined);
    expect(measurement).toMatchObject({ requests: 0, failedRequests: 0, requestsPerSecond: 0, latencyMs: allNull });
  });
});

describe('the ends of a run', () => {
  it('drops requests that the end of the window cuts off: neither counted nor failed', async () => {
    const { url, requests } = await serve((_, response) => {
      setTimeout(() => {
        answer(response, productsBody);
      }, 350);
    });
    const { measurement } = await generator.run(runRequest(url, rawDir), new AbortController().signal);
    // Each of the 4 VUs has a request under way at the end of the window, but for the microseconds between two.
    const cutOff = requests() - measurement.requests;
    expect(cutOff).toBeGreaterThan(0);
    expect(cutOff).toBeLessThanOrEqual(4);
    expect(measurement).toMatchObject({ failedRequests: 0, errors: {} });
    expect(measurement.checks['status is 200']).toEqual({ passed: measurement.requests, failed: 0 });
    expect(measurement.failedCheckExamples).toEqual([]);
  });

  it('ends a warm-up at the first moment when both minima are reached', async () => {
    const measurement = await run(good, { durationMs: 30_000, stopWhen: { minDurationMs: 300, minRequests: 50 } });
    expect(measurement.windowMs).toBeGreaterThanOrEqual(300);
    expect(measurement.windowMs).toBeLessThan(30_000);
    expect(measurement.requests).toBeGreaterThanOrEqual(50);
    expect(measurement.exitCode).toBe(108);
  });

  it('rejects with the reason of an abort, and leaves no k6 behind', async () => {
    const controller = new AbortController();
    const reason = new LabError('INTERRUPTED', 'interrupted', '');
    let seen = 0;
    const { url, connections } = await serve((_, response) => {
      seen += 1;
      if (seen === 10) controller.abort(reason);
      answer(response, productsBody);
    });
    const request = runRequest(url, rawDir, { durationMs: 60_000 });
    await expect(generator.run(request, controller.signal)).rejects.toBe(reason);
    await vi.waitFor(
      () => {
        expect(connections()).toBe(0);
      },
      { timeout: 20_000 },
    );
  });

  it('does not start when aborted before', async () => {
    const reason = new LabError('INTERRUPTED', 'interrupted', '');
    const { url, requests } = await serve(good);
    await expect(generator.run(runRequest(url, rawDir), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(requests()).toBe(0);
  });
});

describe('a generator that failed is an error', () => {
  const signal = new AbortController().signal;

  it('exception at start: exit code 107, no summary', async () => {
    const broken = await withScript('throw new Error("a defect");');
    await expect(broken.run(runRequest('http://127.0.0.1:1', rawDir), signal)).rejects.toMatchObject({
      code: 'GENERATOR_FAILED',
      message: 'k6 met an exception in the scenario (exit code 107), and left no summary (run)',
      logTail: [expect.stringContaining('a defect')],
    });
  });

  it('exception in every iteration, though k6 exits with 0 and a summary', async () => {
    const broken = await withScript(`
      export const options = { scenarios: { load: { executor: 'constant-vus', vus: 1, duration: '1s', gracefulStop: '0s' } } };
      export default function () { throw new Error('a defect'); }
      export const handleSummary = (data) => ({ [__ENV.SUMMARY]: JSON.stringify(data) });`);
    await expect(broken.run(runRequest('http://127.0.0.1:1', rawDir), signal)).rejects.toMatchObject({
      code: 'GENERATOR_FAILED',
      message: 'k6 met an exception in the scenario: Error: a defect, after 0 requests (run)',
    });
  });

  it('no summary, though k6 exits with 0; an older file of that name is not taken for it', async () => {
    const silent = await withScript(`
      export const options = { iterations: 1 };
      export default function () {}
      export const handleSummary = () => ({});`);
    await run(good);
    await expect(silent.run(runRequest('http://127.0.0.1:1', rawDir), signal)).rejects.toMatchObject({
      code: 'GENERATOR_FAILED',
      message: 'k6 left no summary, with exit code 0 (run)',
    });
  });

  it('a reference body that k6 cannot compare', async () => {
    const request = runRequest('http://127.0.0.1:1', rawDir, { referenceBody: Buffer.from([0x22, 0xff, 0x22]) });
    await expect(generator.run(request, signal)).rejects.toMatchObject({
      code: 'GENERATOR_FAILED',
      logTail: ['test aborted: the reference body is not UTF-8 text: k6 cannot compare it'],
    });
  });

  it('no scenario for the endpoint', async () => {
    const endpoint = { id: 'products-new', path: '/new', title: 'new', touches: [] };
    await expect(generator.run(runRequest('http://127.0.0.1:1', rawDir, { endpoint }), signal)).rejects.toMatchObject({
      code: 'GENERATOR_FAILED',
      message: expect.stringContaining('there is no k6 scenario for products-new') as string,
    });
  });

  it('a slice that is too short for k6 is bad input', async () => {
    await expect(
      generator.run(runRequest('http://127.0.0.1:1', rawDir, { durationMs: 200 }), signal),
    ).rejects.toMatchObject({ code: 'BAD_ARGUMENT' });
  });

  it('k6 that is gone when the run starts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loadlab-k6-gone-'));
    const binary = join(folder, 'k6');
    await writeFile(binary, '#!/bin/sh\necho "k6 v2.2.0 (go1.26)"\n', { mode: 0o755 });
    const vanishing = await createK6Generator({ binary });
    await rm(binary);
    await expect(vanishing.run(runRequest('http://127.0.0.1:1', rawDir), signal)).rejects.toMatchObject({
      code: 'GENERATOR_FAILED',
      message: `k6 could not be started: ${binary}`,
    });
  });
});
