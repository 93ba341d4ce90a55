import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Server as NetServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Connections } from './connections.ts';
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

/** How long a stopping server waits for the rest of a request that has begun to arrive. */
const readingGraceMs = 1000;

/** How often, at most, a stopping server looks once more whether requests have arrived. */
const lastLooks = 50;

/** An HTTP server that can stop without losing what is in flight. */
export class LabServer {
  private readonly server: Server;
  private readonly connections = new Connections();
  private readonly maxHeaderBytes: number;
  /** Connections and requests so far. */
  private arrivals = 0;
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
      this.arrivals += 1;
      this.connections.add(socket);
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

  /** Stops accepting, closes idle connections at once, and waits for what is in flight. */
  async drain(): Promise<void> {
    this.closing = true;
    await this.readWhatArrived();
    const grace = setTimeout(() => {
      this.connections.closeUnowed();
    }, readingGraceMs);
    await new Promise<void>((resolve) => {
      // Of http.Server's own close this is the part that stops listening: it would close idle connections first, and a
      // client that then connects again would be reset instead of refused.
      NetServer.prototype.close.call(this.server, () => {
        resolve();
      });
      void this.closeIdle();
    });
    clearTimeout(grace);
  }

  private async closeIdle(): Promise<void> {
    await this.readWhatArrived();
    this.server.closeIdleConnections();
    this.connections.closeSilent();
  }

  /**
   * Lets the event loop read its sockets until nothing new comes, without waiting: a client that has sent a request
   * deserves an answer, which tells it that the connection ends, rather than a reset.
   */
  private async readWhatArrived(): Promise<void> {
    let before = -1;
    for (let looks = 0; looks < lastLooks && before !== this.arrivals; looks += 1) {
      before = this.arrivals;
      await nextTurn();
    }
  }

  private handleRequests(listener: Listener): void {
    const handle: Listener = (request, response) => {
      this.arrivals += 1;
      this.connections.owes(request.socket, response);
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
      refuseConnection(error, socket, this.connections.latest(socket));
    });
    this.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
      refuseConnection(new Error('CONNECT'), socket, this.connections.latest(socket));
    });
  }
}
