import type { Log } from './log.ts';

/** The least time between two `-down` lines: what flaps under load must not write a line for each request. */
const quietMs = 1000;

/** Tells when something that the process depends on fails, and when it works again: `<name>-down`, `<name>-up`. */
export class Outage {
  private isDown = false;
  private spokeAtMs = Number.NEGATIVE_INFINITY;
  private readonly log: Log;
  private readonly name: string;
  private readonly nowMs: () => number;

  constructor(log: Log, name: string, nowMs: () => number = () => performance.now()) {
    this.log = log;
    this.name = name;
    this.nowMs = nowMs;
  }

  /** Notes a failure: at most one line a second, and none while it lasts. */
  failed(error: Error): void {
    if (this.isDown || this.nowMs() - this.spokeAtMs < quietMs) return;
    this.isDown = true;
    this.spokeAtMs = this.nowMs();
    this.log.warn(`${this.name}-down`, { error: describe(error) });
  }

  /** Notes a success. On the hot path: one comparison, unless it was down. */
  worked(): void {
    if (!this.isDown) return;
    this.isDown = false;
    this.spokeAtMs = this.nowMs();
    this.log.info(`${this.name}-up`);
  }
}

/** Some errors of sockets (an AggregateError of several addresses) have a code and an empty message. */
export function describe(error: Error): string {
  if (error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}
