import { Client, type Dispatcher } from 'undici';
import { messageOf } from '../../model/errors.ts';
import type { BodyReader } from './body-reader.ts';
import { connectWithDirectReads } from './direct-reads.ts';
import { errorKind } from './error-kind.ts';
import type { Tally } from './tally.ts';

/** A request with neither headers nor body bytes for this long has failed: a paused server is a long request first. */
export const requestTimeoutMs = 60_000;
export const connectTimeoutMs = 5_000;
/** After a failure a virtual user waits, twice as long each time: a server that is away gets thousands of attempts, not millions. */
const firstBackOffMs = 5;
const longestBackOffMs = 200;

/** What a run wants to hear from its virtual users. */
export interface VirtualUserEvents {
  /** The first attempt to connect has ended, well or not. Once. */
  connected(): void;
  /** A request has ended and was counted. */
  ended(user: VirtualUser): void;
  /** It was told to stop, and nothing is in flight any more. Once. */
  idle(): void;
}

/**
 * One closed-loop user: a connection of its own, one request in flight, the next when it has ended. It is its own undici
 * handler, reused for every request. undici calls the older handler methods (onHeaders, onData, …) with raw header buffers,
 * where the newer ones parse all headers into an object per response: more than the rest of this class costs.
 */
export class VirtualUser implements Dispatcher.DispatchHandler {
  requestsEnded = 0;
  /** A request is waiting, being sent, or being answered. */
  inFlight = false;
  private stopped = false;
  private connectSettled = false;
  private backOffMs = 0;
  private backOff: NodeJS.Timeout | null = null;
  private startedAt = 0;
  private firstByteAt = 0;
  private headRead = false;
  /** Reused: what the checks judge. */
  private readonly facts: { status: number; bodyEqual: boolean; count: number | null; xCache: string | null } = {
    status: 0,
    bodyEqual: false,
    count: null,
    xCache: null,
  };
  private readonly client: Client;
  private readonly options: Dispatcher.DispatchOptions;
  private readonly body: BodyReader;
  private readonly tally: Tally;
  private readonly events: VirtualUserEvents;

  constructor(url: URL, body: BodyReader, tally: Tally, events: VirtualUserEvents) {
    this.body = body;
    this.tally = tally;
    this.events = events;
    // `blocking` only matters to pipelining, and costs undici a pass over its queue per response.
    this.options = { method: 'GET', path: url.pathname + url.search, blocking: false };
    this.client = new Client(url.origin, {
      // More would not only be another load: undici then writes each request by itself instead of all users' together in
      // the next turn of the event loop, and makes about 0.6 times as many.
      pipelining: 1,
      // A server's hint counts as it is: with undici's safety margin of 2 s, `timeout=2` would mean a connection a request.
      keepAliveTimeoutThreshold: 0,
      // Equal, so that undici refreshes one timer instead of making two per request.
      headersTimeout: requestTimeoutMs,
      bodyTimeout: requestTimeoutMs,
      connect: connectWithDirectReads(() => this.headRead, connectTimeoutMs),
    });
    this.client.on('connect', () => {
      this.tally.connectionsOpened += 1;
      this.settleConnect();
    });
    this.client.on('connectionError', () => {
      this.settleConnect();
    });
  }

  /** Sends a request; the next one follows by itself until stop(). */
  readonly issue = (): void => {
    this.backOff = null;
    this.inFlight = true;
    this.headRead = false;
    this.body.reset();
    this.client.dispatch(this.options, this);
  };

  /** No further request; what is in flight is finished and counted. */
  stop(): void {
    this.stopped = true;
    if (this.backOff !== null) {
      clearTimeout(this.backOff);
      this.backOff = null;
    }
    if (!this.inFlight) this.events.idle();
  }

  /** Cuts what is in flight, uncounted, and closes the connection. */
  async destroy(): Promise<void> {
    this.stopped = true;
    this.inFlight = false;
    if (this.backOff !== null) clearTimeout(this.backOff);
    await this.client.destroy();
  }

  onConnect(): void {
    // Now the request is written: waiting for a connection is not part of its time.
    this.startedAt = performance.now();
    this.firstByteAt = 0;
  }

  onResponseStarted(): void {
    if (this.firstByteAt === 0) this.firstByteAt = performance.now();
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    // The contract has none, and the head that follows one could be overwritten while it is read: a failed request.
    if (status < 200) throw new InterimAnswer(status);
    this.headRead = true;
    this.facts.status = status;
    this.facts.xCache = findXCache(headers);
    return true;
  }

  onData(bytes: Buffer): boolean {
    this.body.chunk(bytes);
    return true;
  }

  onComplete(): void {
    const now = performance.now();
    if (!this.inFlight) return;
    this.body.end();
    this.facts.bodyEqual = this.body.equal;
    this.facts.count = this.body.count;
    this.backOffMs = 0;
    this.tally.response(this.facts, this.body, this.firstByteAt - this.startedAt, now - this.startedAt);
    this.finish();
    // Issued from here undici takes it up without checking the connection anew.
    if (!this.stopped) this.issue();
  }

  onError(error: Error): void {
    // Cut by destroy().
    if (!this.inFlight) return;
    this.tally.failure(errorKind(error), messageOf(error), this.body.length);
    this.finish();
    if (this.stopped) return;
    this.backOffMs = this.backOffMs === 0 ? firstBackOffMs : Math.min(this.backOffMs * 2, longestBackOffMs);
    this.backOff = setTimeout(this.issue, this.backOffMs);
  }

  private finish(): void {
    this.inFlight = false;
    this.requestsEnded += 1;
    const wasStopped = this.stopped;
    this.events.ended(this);
    // When this very request made the run stop, stop() has said idle already.
    if (wasStopped) this.events.idle();
  }

  private settleConnect(): void {
    if (this.connectSettled) return;
    this.connectSettled = true;
    this.events.connected();
  }
}

/** undici counts what a handler throws as the request's failure. */
class InterimAnswer extends Error {
  constructor(status: number) {
    super(`an interim answer (${status}), which no stack sends`);
    this.name = `status ${status}`;
  }
}

/** The X-Cache header's value among raw names and values in turn; null without one. */
function findXCache(headers: readonly Buffer[]): string | null {
  for (let index = 0; index + 1 < headers.length; index += 2) {
    const name = headers[index];
    // No other name of seven bytes begins with x and a hyphen in what a stack sends; the whole name decides.
    if (name?.length === 7 && name[1] === 0x2d && name.toString('latin1').toLowerCase() === 'x-cache') {
      const value = headers[index + 1];
      return value === undefined ? null : cacheState(value);
    }
  }
  return null;
}

const hit = Buffer.from('HIT');
const miss = Buffer.from('MISS');

function cacheState(value: Buffer): string {
  if (value.equals(hit)) return 'HIT';
  if (value.equals(miss)) return 'MISS';
  return value.toString('latin1');
}
