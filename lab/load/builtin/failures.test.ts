import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../../contract/root.ts';
import { LabError } from '../../model/errors.ts';
import { canLimitFileSize, withFileSizeLimit } from '../../model/test-file-size-limit.ts';
import { BuiltinGenerator } from './generator.ts';
import { body, runRequest, testBed, TestServer } from './test-fixture.ts';
import { WorkerProcess } from './worker-process.ts';

const never = new AbortController().signal;
const bed = testBed();

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.unreachable('it resolved'),
    (reason: unknown) => reason,
  );
}

/** Waits until `reached` holds; the test's own limit ends a wait for nothing. */
async function until(reached: () => boolean): Promise<void> {
  while (!reached()) await delay(10);
}

/** A base URL at which nobody listens any more. */
async function deadUrl(): Promise<string> {
  const gone = await TestServer.start(() => undefined);
  const { url } = gone;
  await gone.stop();
  return url;
}

test('a server that is down: every request fails, by kind, without latency, and without spinning', async () => {
  const { measurement } = await bed.generator.run(runRequest(await deadUrl(), bed.rawDir), never);
  expect(measurement.requests).toBeGreaterThan(0);
  expect(measurement.failedRequests).toBe(measurement.requests);
  expect(measurement.connectionsOpened).toBe(0);
  expect(measurement.bytesReceived).toBe(0);
  expect(Object.keys(measurement.errors)).toEqual(['ECONNREFUSED']);
  expect(measurement.errors.ECONNREFUSED?.count).toBe(measurement.requests + measurement.requestsOutsideWindow);
  expect(measurement.errors.ECONNREFUSED?.example).toContain('ECONNREFUSED');
  expect(measurement.checks['status is 200']).toEqual({ passed: 0, failed: measurement.requests });
  expect(measurement.latencyMs).toMatchObject({ mean: null, min: null, p50: null, p999: null, max: null });
  expect(measurement.cache).toEqual({ hit: 0, miss: 0, absent: 0 });
  // Waits of 5, 10, 20, … 200 ms: 4 users cannot try more often than this.
  expect(measurement.requests).toBeLessThanOrEqual(4 * (7 + Math.ceil(measurement.windowMs / 200)));
});

test('a server that dies in the middle: what it answered counts, what follows fails', async () => {
  const dying = await TestServer.start((_request, response) => {
    if (dying.received === 100) void dying.stop();
    else response.end(body);
  });
  // Long enough on any machine: the run ends with its 140th request, of which the server can have answered 99 at most.
  const changes = { durationMs: 50_000, stopWhen: { minDurationMs: 0, minRequests: 140 } };
  const { measurement } = await bed.generator.run(runRequest(dying.url, bed.rawDir, changes), never);
  const answered = measurement.cache.absent;
  expect(answered).toBeLessThan(100);
  // At most one response a user was cut with its connection.
  expect(answered).toBeGreaterThanOrEqual(100 - 4);
  expect(measurement.failedRequests).toBeGreaterThan(0);
  expect(measurement.requests - measurement.failedRequests).toBeLessThanOrEqual(answered);
  expect(measurement.errors).toHaveProperty('ECONNREFUSED');
  const failed = Object.values(measurement.errors).reduce((total, { count }) => total + count, 0);
  expect(answered + failed).toBe(measurement.requests + measurement.requestsOutsideWindow);
});

test('a server that pauses for 2 s shows as requests of 2 s', async () => {
  let paused = false;
  const server = await bed.serve((_request, response) => {
    if (server.received === 50) paused = true;
    if (paused) setTimeout(() => response.end(body), 2050);
    else response.end(body);
    if (server.received === 54) paused = false;
  });
  const { measurement } = await bed.generator.run(runRequest(server.url, bed.rawDir, { durationMs: 4000 }), never);
  expect(measurement.failedRequests).toBe(0);
  expect(measurement.latencyMs.max).toBeGreaterThanOrEqual(2000);
  expect(measurement.timeToFirstByteMs.max).toBeGreaterThanOrEqual(2000);
  expect(measurement.latencyMs.p50).toBeLessThan(2000);
  expect(measurement.requests + measurement.requestsOutsideWindow).toBe(server.received);
});

test('a server that never answers: no requests, nothing that looks fast, and what was cut is said', async () => {
  const server = await bed.serve(() => undefined);
  const { measurement } = await bed.generator.run(runRequest(server.url, bed.rawDir), never);
  expect(measurement.requests).toBe(0);
  expect(measurement.unfinishedRequests).toBe(4);
  expect(measurement.requestsPerSecond).toBe(0);
  expect(measurement.latencyMs.max).toBeNull();
  expect(measurement.errors).toEqual({
    unfinished: { count: 4, example: 'no response within 5000 ms after the window closed' },
  });
});

test('a connection that is cut in the middle of a body is a failed request', async () => {
  const server = await bed.serve((_request, response) => {
    response.writeHead(200, { 'Content-Length': body.length });
    response.write(body.subarray(0, 5), () => response.socket?.destroy());
  });
  const { measurement } = await bed.generator.run(runRequest(server.url, bed.rawDir), never);
  expect(measurement.requests).toBeGreaterThan(0);
  expect(measurement.failedRequests).toBe(measurement.requests);
  expect(Object.keys(measurement.errors)).toEqual(['connection closed']);
});

test('an abort ends the load, rejects with the reason, and the next run works', async () => {
  const server = await bed.serve((_request, response) => response.end(body));
  const abort = new AbortController();
  const reason = new LabError('INTERRUPTED', 'Ctrl-C', '');
  const run = bed.generator.run(runRequest(server.url, bed.rawDir, { durationMs: 60_000 }), abort.signal);
  await until(() => server.received > 20);
  const pid = bed.generator.pid();
  abort.abort(reason);
  expect(await thrownBy(run)).toBe(reason);
  const received = server.received;
  expect(bed.generator.pid()).toBe(pid);

  const { measurement } = await bed.generator.run(runRequest(server.url, bed.rawDir), never);
  // Nothing of the aborted load went on: the server saw this run only.
  expect(server.received - received).toBe(measurement.requests + measurement.requestsOutsideWindow);
});

test('a signal that is aborted already starts nothing', async () => {
  const reason = new Error('too late');
  const server = await bed.serve((_request, response) => response.end(body));
  expect(await thrownBy(bed.generator.run(runRequest(server.url, bed.rawDir), AbortSignal.abort(reason)))).toBe(reason);
  expect(server.received).toBe(0);
});

test('a process that does not react to an abort is killed, and the next run has a new one', async () => {
  const server = await bed.serve((_request, response) => response.end(body));
  const pid = bed.generator.pid()!;
  const abort = new AbortController();
  const reason = new Error('enough');
  const run = bed.generator.run(runRequest(server.url, bed.rawDir, { durationMs: 60_000 }), abort.signal);
  await until(() => server.received > 0);
  process.kill(pid, 'SIGSTOP');
  abort.abort(reason);
  expect(await thrownBy(run)).toBe(reason);
  expect(lives(pid)).toBe(false);
  const { measurement } = await bed.generator.run(runRequest(server.url, bed.rawDir), never);
  expect(measurement.failedRequests).toBe(0);
  expect(bed.generator.pid()).not.toBe(pid);
});

test('a process that dies rejects the run with GENERATOR_FAILED, and the next run has a new one', async () => {
  const server = await bed.serve((_request, response) => response.end(body));
  const pid = bed.generator.pid()!;
  const run = bed.generator.run(runRequest(server.url, bed.rawDir, { durationMs: 60_000 }), never);
  await until(() => server.received > 0);
  process.kill(pid, 'SIGKILL');
  const error = await thrownBy(run);
  expect(error).toBeInstanceOf(LabError);
  expect(error).toMatchObject({ code: 'GENERATOR_FAILED', exitCode: 5 });
  expect((error as LabError).message).toContain('SIGKILL');
  expect(bed.generator.pid()).toBeNull();
  const { measurement } = await bed.generator.run(runRequest(server.url, bed.rawDir), never);
  expect(measurement.failedRequests).toBe(0);
  expect(bed.generator.pid()).not.toBeNull();
});

test('a base URL that is none is a failed generator, not a slow server', async () => {
  const error = await thrownBy(bed.generator.run(runRequest('ftp://127.0.0.1:1', bed.rawDir), never));
  expect(error).toMatchObject({ code: 'GENERATOR_FAILED' });
});

test('two runs at once are refused', async () => {
  const server = await bed.serve((_request, response) => response.end(body));
  const first = bed.generator.run(runRequest(server.url, bed.rawDir), never);
  expect(await thrownBy(bed.generator.run(runRequest(server.url, bed.rawDir), never))).toMatchObject({
    code: 'INTERNAL',
  });
  expect((await first).measurement.failedRequests).toBe(0);
});

test('a raw file that cannot be written is said, not lost', async () => {
  const server = await bed.serve((_request, response) => response.end(body));
  const error = await thrownBy(bed.generator.run(runRequest(server.url, '/dev/null/raw'), never));
  expect(error).toMatchObject({ code: 'CANNOT_WRITE' });
});

test.skipIf(!canLimitFileSize)('half a raw file never stands on a full disk', async () => {
  const server = await bed.serve((_request, response) => response.end(body));
  const rawDir = join(bed.rawDir, 'full');
  const run = bed.generator.run(runRequest(server.url, rawDir), never);
  await withFileSizeLimit(200, async () => {
    expect(await thrownBy(run)).toMatchObject({ code: 'CANNOT_WRITE' });
  });
  expect(await readdir(rawDir)).toEqual([]);
});

test('the last lines of stderr say why a process died', async () => {
  const worker = await WorkerProcess.start(repositoryRoot);
  // Nothing that the lab says makes it throw: this goes past it.
  // eslint-disable-next-line @typescript-eslint/dot-notation -- it is private
  worker['child'].stdin.write('nonsense\n');
  const error = await thrownBy(worker.ask({ type: 'abort' }, 10_000));
  expect(error).toMatchObject({ code: 'GENERATOR_FAILED' });
  expect((error as LabError).logTail.join('\n')).toContain('SyntaxError');
  await worker.close();
});

test('without a compiled worker the error says what to do', async () => {
  const error = await thrownBy(WorkerProcess.start('/nowhere'));
  expect(error).toMatchObject({ code: 'BUILD_FAILED', hint: expect.stringContaining('npm run build') as string });
});

test('close() ends the process, also in the middle of a run, and can be called twice', async () => {
  const server = await bed.serve((_request, response) => response.end(body));
  const other = await BuiltinGenerator.open();
  const pid = other.pid()!;
  const run = thrownBy(other.run(runRequest(server.url, bed.rawDir, { durationMs: 60_000 }), never));
  await until(() => server.received > 0);
  await other.close();
  await other.close();
  expect(await run).toMatchObject({ code: 'GENERATOR_FAILED' });
  expect(lives(pid)).toBe(false);
  expect(await thrownBy(other.run(runRequest(server.url, bed.rawDir), never))).toMatchObject({ code: 'INTERNAL' });
});

test('close() while a new process is starting leaves none behind', async () => {
  const server = await bed.serve((_request, response) => response.end(body));
  const other = await BuiltinGenerator.open();
  const pid = other.pid()!;
  process.kill(pid, 'SIGKILL');
  await until(() => other.pid() === null);
  const run = thrownBy(other.run(runRequest(server.url, bed.rawDir), never));
  await other.close();
  expect(await run).toMatchObject({ code: 'INTERNAL' });
  expect(other.pid()).toBeNull();
  expect(server.received).toBe(0);
});

test('the process is a session of its own, and ends when the lab is killed', async () => {
  const entry = join(repositoryRoot, 'dist/lab/load/builtin/generator.js');
  const script = `import { BuiltinGenerator } from ${JSON.stringify(entry)};
    const generator = await BuiltinGenerator.open();
    console.log(generator.pid());`;
  const lab = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(lab.stdout, 'data')) as [Buffer];
  const pid = Number(line.toString());
  expect(lives(pid)).toBe(true);
  expect(sessionOf(pid)).toBe(pid);
  lab.kill('SIGKILL');
  await until(() => !lives(pid));
});

/** The session id of a process: the sixth field of its stat. Linux only. */
function sessionOf(pid: number): number {
  if (process.platform !== 'linux') return pid;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);
}
