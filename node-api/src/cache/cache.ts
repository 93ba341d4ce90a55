import type { Redis } from 'ioredis';
import type { Outage } from '../events/outage.ts';
import { Connection } from './connection.ts';
import { DeadlineExceeded, withDeadline } from './deadline.ts';
import { isReply } from './reply-error.ts';

/** Where Redis is and how long a command may take. */
export interface CacheOptions {
  readonly url: string;
  readonly poolSize: number;
  readonly timeoutMs: number;
}

/**
 * What a GET found. `miss`: Redis answered, and has nothing to use. `away`: Redis did not answer, and would not answer
 * a second command of the same request either.
 */
export type Found = { readonly kind: 'hit'; readonly value: Buffer } | { readonly kind: 'miss' | 'away' };

const wrongType = 'WRONGTYPE';

class NoConnection extends Error {
  constructor() {
    super('no connection to Redis');
    this.name = 'NoConnection';
  }
}

/**
 * Entries in Redis, over a fixed number of connections that are used in turn. Never holds a request up for longer than
 * one time-out, and never throws because of Redis.
 */
export class Cache {
  private readonly connections: readonly Connection[];
  private readonly timeoutMs: number;
  private readonly outage: Outage;
  private turn = 0;

  /** Begins to connect, and keeps trying for as long as the process lives. */
  constructor(options: CacheOptions, outage: Outage) {
    this.timeoutMs = options.timeoutMs;
    this.outage = outage;
    this.connections = Array.from({ length: options.poolSize }, () => new Connection(options.url, outage));
  }

  /** Looks an entry up. An entry of another type is a miss: `set` replaces it. */
  async get(key: string): Promise<Found> {
    try {
      const value = await this.run((redis) => redis.getBuffer(key));
      return value === null ? { kind: 'miss' } : { kind: 'hit', value };
    } catch (error) {
      if (!isReply(error)) return { kind: 'away' };
      if (!error.message.startsWith(wrongType)) this.outage.failed(error);
      return { kind: 'miss' };
    }
  }

  /** Stores an entry, whatever was there. Says whether Redis took it. */
  async set(key: string, value: string, ttlSeconds: number): Promise<boolean> {
    try {
      await this.run((redis) => redis.set(key, value, 'EX', ttlSeconds));
      return true;
    } catch (error) {
      if (isReply(error)) this.outage.failed(error);
      return false;
    }
  }

  /** Says whether Redis answers. */
  async ping(): Promise<boolean> {
    try {
      await this.run((redis) => redis.ping());
      return true;
    } catch (error) {
      if (isReply(error)) this.outage.failed(error);
      return false;
    }
  }

  /** Closes every connection. */
  close(): void {
    for (const connection of this.connections) connection.close();
  }

  private async run<T>(command: (redis: Redis) => Promise<T>): Promise<T> {
    const connection = this.next();
    try {
      if (connection === undefined) throw new NoConnection();
      const answer = await withDeadline(command(connection.redis), this.timeoutMs);
      this.outage.worked();
      return answer;
    } catch (error) {
      if (error instanceof DeadlineExceeded) this.distrust(connection);
      if (error instanceof Error && !isReply(error)) this.outage.failed(error);
      throw error;
    }
  }

  /** The next connection in turn that is good; undefined: Redis is away, and nobody waits for it. */
  private next(): Connection | undefined {
    for (let left = this.connections.length; left > 0; left -= 1) {
      this.turn = (this.turn + 1) % this.connections.length;
      const connection = this.connections[this.turn];
      if (connection?.isGood() === true) return connection;
    }
    return undefined;
  }

  /** What hit one connection has probably hit them all; finding that out one time-out a request would take too long. */
  private distrust(late: Connection | undefined): void {
    late?.giveUp();
    for (const connection of this.connections) connection.doubt();
  }
}
