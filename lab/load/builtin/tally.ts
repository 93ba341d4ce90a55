import { checksFor, passes, type CheckName, type Expectation, type ResponseFacts } from '../../../k6/lib/checks.ts';
import type { ErrorCounts } from '../../model/measurement.ts';
import type { BodyReader } from './body-reader.ts';
import { LatencyRecorder } from './latency-recorder.ts';

const maxExamples = 5;
/** Explaining parses the body: a run in which everything fails must not spend its time on that. */
const maxExplained = 50;

const noResponse: ResponseFacts = { status: 0, bodyEqual: false, count: null, xCache: null };

interface CheckCount {
  readonly name: CheckName;
  passed: number;
  failed: number;
}

/** Counts one run. Every request ends here exactly once: by `response` or by `failure`. */
export class Tally {
  /** Set while the window is open. */
  inWindow = false;
  requests = 0;
  requestsOutsideWindow = 0;
  failedRequests = 0;
  bodyBytes = 0;
  connectionsOpened = 0;
  readonly cache = { hit: 0, miss: 0, absent: 0 };
  readonly latency = new LatencyRecorder();
  readonly timeToFirstByte = new LatencyRecorder();
  readonly errors: ErrorCounts = {};
  readonly examples = new Set<string>();
  private explained = 0;
  private readonly expected: Expectation;
  private readonly counts: readonly CheckCount[];

  constructor(expected: Expectation) {
    this.expected = expected;
    this.counts = checksFor(expected).map((name) => ({ name, passed: 0, failed: 0 }));
  }

  get checks(): Record<string, { passed: number; failed: number }> {
    return Object.fromEntries(this.counts.map(({ name, passed, failed }) => [name, { passed, failed }]));
  }

  /** A whole response has arrived, whatever its status. Times in milliseconds since the request was written. */
  response(facts: ResponseFacts, body: BodyReader, firstByteMs: number, totalMs: number): void {
    if (facts.xCache === null) this.cache.absent += 1;
    else if (facts.xCache === 'HIT') this.cache.hit += 1;
    else if (facts.xCache === 'MISS') this.cache.miss += 1;
    if (facts.status !== 200) this.badStatus(facts.status, body);
    if (!this.inWindow) {
      this.requestsOutsideWindow += 1;
      return;
    }
    this.requests += 1;
    this.bodyBytes += body.length;
    if (facts.status !== 200) this.failedRequests += 1;
    this.timeToFirstByte.record(firstByteMs);
    this.latency.record(totalMs);
    for (const check of this.counts) {
      if (passes(check.name, facts, this.expected)) {
        check.passed += 1;
      } else {
        check.failed += 1;
        this.explain(check.name, facts, body);
      }
    }
  }

  /** No whole response came. `bodyBytes` is what had arrived of it. */
  failure(kind: string, example: string, bodyBytes: number): void {
    this.error(kind, example);
    if (!this.inWindow) {
      this.requestsOutsideWindow += 1;
      return;
    }
    this.requests += 1;
    this.failedRequests += 1;
    this.bodyBytes += bodyBytes;
    for (const check of this.counts) {
      if (passes(check.name, noResponse, this.expected)) check.passed += 1;
      else check.failed += 1;
    }
    this.example(`no response: ${kind}`);
  }

  /** Requests that the drain's time-out cut. */
  unfinished(count: number, drainMs: number): void {
    if (count === 0) return;
    this.errors.unfinished = { count, example: `no response within ${drainMs} ms after the window closed` };
  }

  destroy(): void {
    this.latency.destroy();
    this.timeToFirstByte.destroy();
  }

  private error(kind: string, example: string): void {
    const known = this.errors[kind];
    if (known === undefined) this.errors[kind] = { count: 1, example };
    else known.count += 1;
  }

  private badStatus(status: number, body: BodyReader): void {
    const kind = `status ${status}`;
    // Only the first one is explained: that is slow.
    this.error(kind, kind in this.errors ? '' : `${kind}, ${body.explain()}`);
  }

  private explain(name: CheckName, facts: ResponseFacts, body: BodyReader): void {
    if (this.examples.size >= maxExamples || this.explained >= maxExplained) return;
    this.explained += 1;
    const seen = `status ${facts.status}, X-Cache ${facts.xCache ?? 'absent'}, ${body.explain()}`;
    this.example(`${name}: ${seen}`);
  }

  private example(line: string): void {
    if (this.examples.size < maxExamples) this.examples.add(line);
  }
}
