import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { RunRequest } from '../../model/generator.ts';
import { BuiltinGenerator } from './generator.ts';

/** `{"count":3,…}`, 3 of the rows that an endpoint with a query answers. */
export const body = Buffer.from(JSON.stringify({ count: 3, products: ['Öl', '<b>', '&'] }));

/** A real HTTP server for one test, on a free port. */
export class TestServer {
  /** Requests that reached the handler. */
  received = 0;
  private readonly server: Server;

  static async start(handler: RequestListener): Promise<TestServer> {
    const server = new TestServer(handler);
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  private constructor(handler: RequestListener) {
    this.server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
      this.received += 1;
      handler(request, response);
    });
  }

  get url(): string {
    const address = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${address.port}`;
  }

  /** Stops listening and cuts every connection. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
      this.server.closeAllConnections();
    });
  }
}

/** The generator that the tests of a file share, a folder for raw files, and servers that end with their test. */
export interface TestBed {
  readonly generator: BuiltinGenerator;
  readonly rawDir: string;
  serve(handler: RequestListener): Promise<TestServer>;
  /** The latest that serve() has started. */
  readonly server: TestServer;
}

/** Opens a bed before the first test of a file, and clears it away after the last. */
export function testBed(): TestBed {
  let generator: BuiltinGenerator;
  let rawDir: string;
  let latest: TestServer;
  beforeAll(async () => {
    rawDir = await mkdtemp(join(tmpdir(), 'loadlab-builtin-'));
    generator = await BuiltinGenerator.open();
  });
  afterAll(async () => {
    await generator.close();
    await rm(rawDir, { recursive: true, force: true });
  });
  return {
    get generator() {
      return generator;
    },
    get rawDir() {
      return rawDir;
    },
    serve: async (handler) => {
      const server = (latest = await TestServer.start(handler));
      onTestFinished(() => server.stop());
      return server;
    },
    get server() {
      return latest;
    },
  };
}

/** A short run against `baseUrl`; every field can be replaced. */
export function runRequest(baseUrl: string, rawDir: string, changes: Partial<RunRequest> = {}): RunRequest {
  return {
    id: 'slice-1',
    baseUrl,
    stack: 'test',
    endpoint: {
      id: 'products',
      path: '/products',
      title: 'Products',
      touches: ['database'],
      query: { file: 'products.sql', expectedCount: 3 },
    },
    load: { executor: 'constant-vus', vus: 4 },
    durationMs: 300,
    check: 'bytes',
    referenceBody: body,
    expectedCache: null,
    rawDir,
    ...changes,
  };
}
