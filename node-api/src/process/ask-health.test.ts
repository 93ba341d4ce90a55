import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { askHealth } from './ask-health.ts';

async function listening(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each<[number, string, string]>([
  [200, '{"ready":true}', 'ready'],
  [503, '{"database":"gone","cache":"ok","seedVersion":null}', 'not ready: database: gone'],
  [503, '{"database":"ok","cache":"away","seedVersion":"1"}', 'not ready: cache: away'],
  [503, '{"database":"a\\nb","cache":"c","seedVersion":null}', 'not ready: database: a b; cache: c'],
  [
    503,
    '{"database":"seed version 0 instead of 1","cache":"ok","seedVersion":"0"}',
    'not ready: database: seed version 0 instead of 1 (`docker compose down --volumes` removes it)',
  ],
  [
    503,
    '{"database":"not seeded","cache":"ok","seedVersion":null}',
    'not ready: database: not seeded (`docker compose down --volumes` removes it)',
  ],
  [404, '{"error":"not found"}', "not ready: status 404, with a body that is not a stack's"],
  [503, 'null', "not ready: status 503, with a body that is not a stack's"],
  [500, '<html>', "not ready: status 500, with a body that is not a stack's"],
])('status %i with %s', async (status, body, line) => {
  const base = await listening((request, response) => {
    expect(request.url).toBe('/health?ready=1');
    response.writeHead(status).end(body);
  });
  expect(await askHealth(base)).toEqual({ ready: status === 200, line });
});

it('nobody listens', async () => {
  const verdict = await askHealth('http://127.0.0.1:1');
  expect(verdict).toEqual({ ready: false, line: 'not ready: connect ECONNREFUSED 127.0.0.1:1' });
});

it('waits no longer than its limit', async () => {
  const base = await listening(() => undefined);
  const { ready, line } = await askHealth(base, AbortSignal.timeout(50));
  expect(ready).toBe(false);
  expect(line).toMatch(/did not answer within 2s$/);
});
