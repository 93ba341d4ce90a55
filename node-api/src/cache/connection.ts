import { Redis } from 'ioredis';
import type { Outage } from '../events/outage.ts';
import { DeadlineExceeded, withDeadline } from './deadline.ts';
import { isReply } from './reply-error.ts';

/** How long opening a TCP connection may take, and between two tries: the cache is back well within 2 s of Redis. */
const connectTimeoutMs = 500;
const longestRetryDelayMs = 500;

/** How long a connection may take to prove that Redis is at its other end. */
const proofTimeoutMs = 500;

/** How long a connection that is given up may take to close in good order. */
const disconnectTimeoutMs = 50;

/** `unproven`: not open, or Redis has not answered on it yet; `givenUp`: it closes, and is opened again. */
type State = 'unproven' | 'good' | 'givenUp';

/** One connection to Redis that comes back by itself. */
export class Connection {
  readonly redis: Redis;
  private state: State = 'unproven';

  constructor(url: string, outage: Outage) {
    this.redis = new Redis(url, {
      connectTimeout: connectTimeoutMs,
      disconnectTimeout: disconnectTimeoutMs,
      retryStrategy: (attempt) => Math.min(attempt * 100, longestRetryDelayMs),
      // A command is tried once, at once or not at all: the database answers instead.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      enableAutoPipelining: false,
      // Its INFO would wait without a limit for a Redis that accepts and does not answer: see prove.
      enableReadyCheck: false,
      disableClientInfo: true,
    });
    this.redis.on('error', (error) => {
      outage.failed(error);
      // Refused to log in or to select the database of the URL: what is in another one is none of our entries.
      if (isReply(error)) this.giveUp();
    });
    this.redis.on('ready', () => {
      void this.prove();
    });
    this.redis.on('close', () => {
      this.state = 'unproven';
    });
  }

  /** Whether a command that is sent now is likely to be answered. */
  isGood(): boolean {
    return this.state === 'good';
  }

  /**
   * Replaces the connection after a command was late. Its answer could be kept apart from later ones, but commands would
   * pile up behind a Redis that hangs.
   */
  giveUp(): void {
    if (this.state === 'givenUp') return;
    this.state = 'givenUp';
    this.redis.disconnect(true);
  }

  /** Has the connection prove itself again, after another one to the same Redis was late. */
  doubt(): void {
    if (this.state !== 'good') return;
    this.state = 'unproven';
    void this.prove();
  }

  close(): void {
    this.redis.disconnect();
  }

  /** A Redis that hangs still accepts connections: only an answer, of whatever kind, makes one good. */
  private async prove(): Promise<void> {
    try {
      await withDeadline(this.redis.ping(), proofTimeoutMs);
      this.trust();
    } catch (error) {
      if (isReply(error)) this.trust();
      else if (error instanceof DeadlineExceeded) this.giveUp();
      // Otherwise it has closed, which `close` has noted.
    }
  }

  private trust(): void {
    if (this.state === 'unproven') this.state = 'good';
  }
}
