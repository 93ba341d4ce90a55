import type { BuiltinRaw } from '../../model/histogram.ts';
import { makeBodyReader } from './body-reader.ts';
import type { Job } from './messages.ts';
import { Tally } from './tally.ts';
import { VirtualUser, type VirtualUserEvents } from './virtual-user.ts';

/** When all are connected, the lead-in waits this long for the slowest first response. */
const leadInLimitMs = 100;
/** After the window, requests in flight have this long to end; then they are cut. */
const drainLimitMs = 5_000;

/**
 * One run, from connecting to the closed connections: lead-in (every user connects and has one request answered, or the
 * limit passes), window (opened and closed by a timer; a request counts when its last byte arrives in it), drain.
 */
export class LoadRun implements VirtualUserEvents {
  private readonly job: Job;
  private readonly tally: Tally;
  private readonly users: readonly VirtualUser[];
  private phase: 'lead-in' | 'window' | 'drain' | 'over' = 'lead-in';
  private connectedUsers = 0;
  private firstResponses = 0;
  private idleUsers = 0;
  private startedAt = '';
  private openedAt = 0;
  private windowMs = 0;
  private readonly timers: NodeJS.Timeout[] = [];
  private settle: { resolve: () => void; reject: (reason: Error) => void } | null = null;

  constructor(job: Job) {
    this.job = job;
    this.tally = new Tally({ mode: job.check, count: job.expectedCount, xCache: job.expectedCache });
    const url = new URL(job.url);
    const { buffer, byteOffset, byteLength } = job.referenceBody;
    const reference = Buffer.from(buffer, byteOffset, byteLength);
    this.users = Array.from(
      { length: job.load.vus },
      () => new VirtualUser(url, makeBodyReader(job.check, reference), this.tally, this),
    );
  }

  /** Makes the run. Rejects with the reason given to abort(). */
  async run(): Promise<BuiltinRaw> {
    try {
      await new Promise<void>((resolve, reject) => {
        this.settle = { resolve, reject };
        for (const user of this.users) user.issue();
      });
      const unfinished = this.users.filter((user) => user.inFlight).length;
      this.tally.unfinished(unfinished, drainLimitMs);
      return this.result(unfinished);
    } finally {
      this.phase = 'over';
      for (const timer of this.timers) clearTimeout(timer);
      await Promise.all(this.users.map((user) => user.destroy()));
      this.tally.destroy();
    }
  }

  abort(reason: Error): void {
    this.settle?.reject(reason);
  }

  connected(): void {
    this.connectedUsers += 1;
    if (this.connectedUsers < this.users.length || this.phase !== 'lead-in') return;
    this.after(leadInLimitMs, () => {
      this.open();
    });
  }

  ended(user: VirtualUser): void {
    if (this.phase === 'lead-in') {
      if (user.requestsEnded > 1) return;
      this.firstResponses += 1;
      if (this.firstResponses === this.users.length) this.open();
    } else if (this.phase === 'window' && this.job.stopWhen !== null) {
      this.stopIfEnough();
    }
  }

  idle(): void {
    this.idleUsers += 1;
    if (this.idleUsers === this.users.length) this.settle?.resolve();
  }

  private open(): void {
    if (this.phase !== 'lead-in') return;
    this.phase = 'window';
    this.startedAt = new Date().toISOString();
    this.openedAt = performance.now();
    this.tally.inWindow = true;
    this.after(this.job.durationMs, () => {
      this.close();
    });
    const earliest = this.job.stopWhen?.minDurationMs;
    if (earliest !== undefined && earliest < this.job.durationMs) {
      this.after(earliest, () => {
        this.stopIfEnough();
      });
    }
  }

  private stopIfEnough(): void {
    const minima = this.job.stopWhen;
    if (minima === null || this.tally.requests < minima.minRequests) return;
    if (performance.now() - this.openedAt >= minima.minDurationMs) this.close();
  }

  private close(): void {
    if (this.phase !== 'window') return;
    this.phase = 'drain';
    this.windowMs = performance.now() - this.openedAt;
    this.tally.inWindow = false;
    this.after(drainLimitMs, () => {
      this.settle?.resolve();
    });
    for (const user of this.users) user.stop();
  }

  private after(delayMs: number, action: () => void): void {
    this.timers.push(setTimeout(action, delayMs));
  }

  private result(unfinishedRequests: number): BuiltinRaw {
    const { job, tally } = this;
    return {
      version: 1,
      generator: 'builtin',
      id: job.id,
      url: job.url,
      load: job.load,
      check: job.check,
      startedAt: this.startedAt,
      windowMs: this.windowMs,
      requests: tally.requests,
      requestsOutsideWindow: tally.requestsOutsideWindow,
      failedRequests: tally.failedRequests,
      unfinishedRequests,
      checks: tally.checks,
      cache: tally.cache,
      bodyBytes: tally.bodyBytes,
      connectionsOpened: tally.connectionsOpened,
      errors: tally.errors,
      failedCheckExamples: [...tally.examples],
      latency: tally.latency.toRecord(),
      timeToFirstByte: tally.timeToFirstByte.toRecord(),
    };
  }
}
