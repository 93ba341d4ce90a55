/** What the tests with a real k6 share: servers that behave as told, and a request for a run against them. */
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import { repositoryRoot } from '../../contract/root.ts';
import type { Thresholds } from '../../model/contract.ts';
import { LabError } from '../../model/errors.ts';
import type { RunRequest } from '../../model/generator.ts';
import { findK6, type K6Binary } from './find.ts';

/** 100 rows with text that is not ASCII, as the contract's bodies have. */
export const productsBody = JSON.stringify({
  count: 100,
  products: Array.from({ length: 100 }, (_, index) => ({ id: index + 1, name: `Wälnut ${index + 1}`, price: '1.00' })),
});

export interface TestServer {
  readonly url: string;
  /** Requests that have arrived. */
  readonly requests: () => number;
  /** Connections that are open. */
  readonly connections: () => number;
  /** Stops listening and resets every connection. */
  readonly die: () => void;
  readonly close: () => Promise<void>;
}

/** Starts a server on a free port of 127.0.0.1. */
export async function startServer(listener: RequestListener): Promise<TestServer> {
  let requests = 0;
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const die = (): void => {
    server.close();
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    requests: () => requests,
    connections: () => sockets.size,
    die,
    close: () =>
      new Promise((resolve) => {
        if (!server.listening) {
          resolve();
          return;
        }
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Answers as a good API does. */
export function answer(
  response: ServerResponse,
  body: string | Uint8Array,
  options: { readonly status?: number; readonly xCache?: string } = {},
): void {
  response.writeHead(options.status ?? 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...(options.xCache === undefined ? {} : { 'x-cache': options.xCache }),
  });
  response.end(body);
}

/**
 * A copy of the clone's contract with a limit for p95 that no busy machine crosses: only what a test makes wrong may cross
 * a threshold. Returns its absolute path.
 */
export async function patientContract(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-contract-'));
  await cp(join(repositoryRoot, 'contract'), folder, { recursive: true });
  const file = join(folder, 'thresholds.json');
  const thresholds = JSON.parse(await readFile(file, 'utf8')) as Thresholds;
  await writeFile(file, JSON.stringify({ ...thresholds, load: { ...thresholds.load, p95Ms: 60_000 } }));
  return folder;
}

/** k6, or the reason why there is none. Other failures are failures of the test. */
export async function k6OrReason(): Promise<K6Binary | string> {
  try {
    return await findK6();
  } catch (error) {
    if (error instanceof LabError && error.code.startsWith('TOOL_')) return error.message;
    throw error;
  }
}

/** Reports a test as skipped where there is no k6. */
export function needK6(context: TestContext, k6: K6Binary | string): void {
  if (typeof k6 === 'string') context.skip(k6);
}

/** A run of 1 s against /products, to be changed by the test. */
export function runRequest(baseUrl: string, rawDir: string, changes: Partial<RunRequest> = {}): RunRequest {
  return {
    id: 'run',
    baseUrl,
    stack: 'test',
    endpoint: {
      id: 'products',
      path: '/products',
      title: 'products',
      touches: ['database'],
      query: { file: 'sql/products.sql', expectedCount: 100 },
    },
    load: { executor: 'constant-vus', vus: 4 },
    durationMs: 1000,
    check: 'bytes',
    referenceBody: Buffer.from(productsBody),
    expectedCache: null,
    rawDir,
    ...changes,
  };
}

/** The cached endpoint, as a change to runRequest. */
export const cachedEndpoint: Partial<RunRequest> = {
  endpoint: {
    id: 'products-with-cache',
    path: '/products-with-cache',
    title: 'products, cached',
    touches: ['database', 'cache'],
    query: { file: 'sql/products.sql', expectedCount: 100 },
    cache: { key: 'products:top100', ttlSeconds: 60 },
  },
  expectedCache: 'HIT',
};
