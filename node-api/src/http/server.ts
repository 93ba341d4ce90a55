import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { judge } from './judge.ts';
import { refuseConnection } from './refusal.ts';
import { refuse } from './reply.ts';

/** What answers a request. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

export interface ServerOptions {
  readonly maxHeaderBytes: number;
  readonly keepAliveTimeoutMs: number;
}

/** How long a client may take for the head of a request, and for all of it: no body is ever needed. */
const requestTimeoutMs = 60_000;

/** An HTTP server that can stop without losing what is in flight. */
export class LabServer {
  private readonly server: Server;
  /** Connections that have not sent a request yet; Node does not count them as idle. */
  private readonly fresh = new Set<Socket>();
  private readonly maxHeaderBytes: number;
  private closing = false;

  constructor({ maxHeaderBytes, keepAliveTimeoutMs }: ServerOptions) {
    this.maxHeaderBytes = maxHeaderBytes;
    this.server = createServer({
      maxHeaderSize: maxHeaderBytes,
      keepAliveTimeout: keepAliveTimeoutMs,
      headersTimeout: requestTimeoutMs,
      requestTimeout: requestTimeoutMs,
      noDelay: true,
    });
    // The limit is on bytes; a header too many would otherwise be dropped silently.
    this.server.maxHeadersCount = 0;
    this.server.on('connection', (socket: Socket) => {
      this.fresh.add(socket);
      socket.once('close', () => this.fresh.delete(socket));
    });
  }

  /** Whether the server is stopping: answers then tell that the connection ends. */
  isClosing(): boolean {
    return this.closing;
  }

  /**
   * Listens, and hands requests to `listener`.
   * @returns the port: the one that the system chose where `port` is 0
   * @throws where the address cannot be listened on
   */
  async listen(listener: Listener, host: string, port: number): Promise<number> {
    this.handleRequests(listener);
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, host, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
    return (this.server.address() as AddressInfo).port;
  }

  private handleRequests(listener: Listener): void {
    const latest = new WeakMap<Socket, ServerResponse>();
    const handle: Listener = (request, response) => {
      this.fresh.delete(request.socket);
      latest.set(request.socket, response);
      const judgement = judge(request, this.maxHeaderBytes);
      if ('fault' in judgement) {
        refuse(response, judgement.fault);
        return;
      }
      request.url = judgement.target;
      listener(request, response);
    };
    this.server.on('request', handle);
    // No body is ever read, so nobody is asked to send one; and what follows may be that body or not: close.
    this.server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
      response.shouldKeepAlive = false;
      handle(request, response);
    });
    this.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
      refuse(response, 417);
    });
    this.server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      refuseConnection(error, socket, latest.get(socket));
    });
    this.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      refuseConnection(new Error('CONNECT'), socket, latest.get(socket));
    });
  }

  /** Stops accepting, closes idle connections at once, and waits for what is in flight. */
  async drain(): Promise<void> {
    this.closing = true;
    // Requests that have arrived already are read first, and then are not idle.
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
      this.server.closeIdleConnections();
      for (const socket of this.fresh) if (socket.bytesRead === 0) socket.destroy();
    });
  }
}
