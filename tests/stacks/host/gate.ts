import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Gate } from '../bed.ts';

/** A forwarder in front of a database's port, on a port of its own. */
export class ForwardingGate implements Gate {
  readonly databaseUrl: string;
  readonly #target: URL;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | null = null;

  constructor(databaseUrl: string, port: number) {
    this.#target = new URL(databaseUrl);
    this.#port = port;
    const through = new URL(databaseUrl);
    through.hostname = '127.0.0.1';
    through.port = String(port);
    this.databaseUrl = through.href;
  }

  async open(): Promise<void> {
    await this.#listen((client) => {
      const behind = connect(Number(this.#target.port), this.#target.hostname);
      this.#keep(client, behind);
      this.#keep(behind, client);
      client.pipe(behind).pipe(client);
    });
  }

  async stall(): Promise<void> {
    await this.#listen((client) => {
      this.#keep(client, null);
      client.resume();
    });
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  async #listen(serve: (client: Socket) => void): Promise<void> {
    await this.close();
    this.#server = createServer(serve);
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** Remembers one end of a connection; the other ends with it. */
  #keep(socket: Socket, other: Socket | null): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#sockets.delete(socket);
      other?.destroy();
    });
  }
}
