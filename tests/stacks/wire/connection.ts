import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Address } from '../bed.ts';
import { within } from '../until.ts';
import { takeResponse, type Response } from './response.ts';

/** The server closed before it had answered. */
export class ConnectionLost extends Error {
  constructor(cause: Error | null, received: Buffer) {
    const seen = received.length === 0 ? 'nothing' : JSON.stringify(received.toString('latin1').slice(0, 120));
    super(`the connection ended after ${seen}${cause === null ? '' : ` (${cause.message})`}`);
    this.name = 'ConnectionLost';
  }
}

/** One TCP connection on which bytes are sent as they stand and responses are read one after another. */
export class Connection {
  /** Resolves when the server has closed its side or the connection broke. */
  readonly ended: Promise<void>;
  readonly #socket: Socket;
  #bytes: Buffer = Buffer.alloc(0);
  #isOver = false;
  #error: Error | null = null;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, chunk]);
      this.#wake();
    });
    this.ended = new Promise((resolve) => {
      const over = (): void => {
        this.#isOver = true;
        this.#wake();
        resolve();
      };
      socket.once('end', over);
      socket.once('close', over);
    });
    socket.on('error', (error) => {
      this.#error = error;
    });
  }

  /** Rejects when nobody listens there. */
  static async open({ host, port }: Address): Promise<Connection> {
    const socket = connect({ host, port, noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Bytes that have come and belong to no response that was read. */
  get unread(): Buffer {
    return this.#bytes;
  }

  /** Sends bytes; each char of a string is one. */
  send(bytes: string): void {
    this.#socket.write(bytes, 'latin1');
  }

  /** The next response, to a request with `method`. Rejects with ConnectionLost, or when none comes. */
  async next(method = 'GET'): Promise<Response> {
    return within('a response', this.#read(method));
  }

  async #read(method: string): Promise<Response> {
    for (;;) {
      const taken = takeResponse(this.#bytes, method, this.#isOver);
      if (taken !== null) {
        this.#bytes = taken.rest;
        return taken.response;
      }
      if (this.#isOver) throw new ConnectionLost(this.#error, this.#bytes);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}
