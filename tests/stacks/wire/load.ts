import { setTimeout as delay } from 'node:timers/promises';
import type { Address } from '../bed.ts';
import { until } from '../until.ts';
import { Connection } from './connection.ts';
import { requestText } from './request.ts';
import { headerOf } from './response.ts';

/** How one request under load went. */
export interface Outcome {
  /** When it was sent, by performance.now(). */
  readonly sentMs: number;
  readonly endedMs: number;
  /** null: no whole response came. */
  readonly status: number | null;
  readonly body: string;
  readonly xCache: string | null;
  /** Why none came. */
  readonly lost: string | null;
}

/** Clients that ask one after another on kept connections until they are stopped or nobody listens any more. */
export class Load {
  readonly outcomes: Outcome[] = [];
  readonly #address: Address;
  readonly #request: string;
  readonly #pauseMs: number;
  #pending = 0;
  #stopping = false;
  #clients: Promise<unknown> = Promise.resolve();

  private constructor(address: Address, target: string, pauseMs: number) {
    this.#address = address;
    this.#request = requestText('GET', target);
    this.#pauseMs = pauseMs;
  }

  /** Opens `clients` connections, each of which pauses for `pauseMs` between two requests. */
  static async start(address: Address, target: string, clients: number, pauseMs: number): Promise<Load> {
    const load = new Load(address, target, pauseMs);
    const connections = await Promise.all(Array.from({ length: clients }, () => Connection.open(address)));
    load.#clients = Promise.all(connections.map((connection) => load.#client(connection)));
    return load;
  }

  /** How many requests have been sent and not been answered yet. */
  get pending(): number {
    return this.#pending;
  }

  /** Waits until `count` more requests have come to an end. */
  async answered(count: number): Promise<void> {
    const enough = this.outcomes.length + count;
    await until(`${count} answers more`, () => Promise.resolve(this.outcomes.length >= enough ? true : null));
  }

  /** Lets what is under way come to its end. */
  async stop(): Promise<readonly Outcome[]> {
    this.#stopping = true;
    await this.#clients;
    return this.outcomes;
  }

  async #client(first: Connection): Promise<void> {
    let connection: Connection | null = first;
    while (!this.#stopping) {
      // A server that stops accepts nobody: that is no failure of a request, for none was sent.
      connection ??= await Connection.open(this.#address).catch(() => null);
      if (connection === null) return;
      if (connection.isOver || !(await this.#askOnce(connection))) {
        connection.close();
        connection = null;
      }
      await delay(this.#pauseMs);
    }
    connection?.close();
  }

  /** Says whether the connection may be used again. */
  async #askOnce(connection: Connection): Promise<boolean> {
    const sentMs = performance.now();
    connection.send(this.#request);
    this.#pending += 1;
    try {
      const response = await connection.next();
      this.outcomes.push({
        sentMs,
        endedMs: performance.now(),
        status: response.status,
        body: response.body.toString(),
        xCache: headerOf(response, 'x-cache'),
        lost: null,
      });
      return headerOf(response, 'connection')?.toLowerCase() !== 'close';
    } catch (error) {
      const lost = error instanceof Error ? error.message : String(error);
      this.outcomes.push({ sentMs, endedMs: performance.now(), status: null, body: '', xCache: null, lost });
      return false;
    } finally {
      this.#pending -= 1;
    }
  }
}
