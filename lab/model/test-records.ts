/** Builders of the shared types for tests: plausible by default, and each test says only what it is about. */
import type { Endpoint, Thresholds } from './contract.ts';
import {
  noPercentiles,
  type ComponentSample,
  type Measurement,
  type Percentiles,
  type Sample,
  type SliceRecord,
  type WarmUpRecord,
  type WorkDone,
} from './measurement.ts';
import type { Cell } from './plan.ts';
import type { ParityResult, Summary, SummaryFigures, Verdict } from './result.ts';
import { loadId } from './study.ts';

export const testThresholds: Thresholds = {
  version: 1,
  load: { p95Ms: 500, failedRate: 0.01, checksRate: 0.99 },
  statistics: { alpha: 0.05, minRoundsForInterval: 6 },
};

const query = { file: 'sql/products.sql', expectedCount: 100 };
export const testEndpoints: Readonly<Record<'hello' | 'products' | 'cached', Endpoint>> = {
  hello: { id: 'hello', path: '/hello', title: 'a fixed answer', touches: [] },
  products: { id: 'products', path: '/products', title: 'rows', touches: ['database'], query },
  cached: {
    id: 'products-with-cache',
    path: '/products-with-cache',
    title: 'rows, cache-aside',
    touches: ['database', 'cache'],
    query,
    cache: { key: 'products:top100', ttlSeconds: 60 },
  },
};

export function testCell(variant = 'go', endpoint = 'products', vus = 20): Cell {
  return { variant, endpoint, load: { executor: 'constant-vus', vus } };
}

/** Percentiles around a p50, so that a test can tell rounds apart by one number. */
export function testPercentiles(p50: number): Percentiles {
  return { mean: p50 + 1, min: p50 / 2, p50, p90: p50 * 2, p95: p50 * 3, p99: p50 * 4, p999: p50 * 5, max: p50 * 6 };
}

/** Bytes of a body in the default measurement. */
export const testBodyBytes = 7700;

/** 1,000 good requests in one second. Whoever changes `requests` gets checks, bytes and cache counts that follow. */
export function testMeasurement(changes: Partial<Measurement> = {}): Measurement {
  const requests = changes.requests ?? 1000;
  const windowMs = changes.windowMs ?? 1000;
  return {
    startedAt: '2026-01-01T00:00:00.000Z',
    windowMs,
    requests,
    requestsOutsideWindow: 20,
    requestsPerSecond: (requests / windowMs) * 1000,
    failedRequests: 0,
    unfinishedRequests: 0,
    checks: { 'status is 200': { passed: requests, failed: 0 } },
    cache: { hit: 0, miss: 0, absent: requests + 20 },
    bytesReceived: requests * testBodyBytes,
    bytesInclude: 'bodies',
    connectionsOpened: 20,
    latencyMs: requests === 0 ? noPercentiles : testPercentiles(10),
    timeToFirstByteMs: requests === 0 ? noPercentiles : testPercentiles(8),
    phasesMs: null,
    errors: {},
    failedCheckExamples: [],
    exitCode: null,
    raw: 'raw/slice.builtin.json',
    ...changes,
  };
}

export function testComponent(cpuUserMs: number | null, cpuSystemMs: number | null = 0): ComponentSample {
  return { cpuUserMs, cpuSystemMs, residentBytes: 50_000_000, reason: cpuUserMs === null ? 'not there' : null };
}

export function testSample(components: Readonly<Record<string, ComponentSample>>): Sample {
  return { elapsedMs: 1050, components: { ...components }, host: null };
}

export function testWork(changes: Partial<WorkDone> = {}): WorkDone {
  const queryCalls = { 'sql/products.sql': 0, 'sql/products-where-like.sql': 0 };
  return { keyspaceHits: 0, keyspaceMisses: 0, queryCalls, ...changes };
}

/** A slice of `cell` in `round`, two rounds a generation. */
export function testRecord(cell: Cell, round: number, changes: Partial<SliceRecord> = {}): SliceRecord {
  return {
    slice: {
      id: `${cell.variant}-${cell.endpoint}-${loadId(cell.load)}-r${round}`,
      generation: Math.ceil(round / 2),
      round,
      cell,
      durationMs: 1000,
    },
    measurement: changes.failure ? null : testMeasurement(),
    failure: null,
    sample: null,
    work: null,
    ...changes,
  };
}

/** A warm-up of `cell`'s process and endpoint that reached its minima, unless changed. */
export function testWarmUp(cell: Cell, generation: number, changes: Partial<WarmUpRecord> = {}): WarmUpRecord {
  const warmUp = { id: `g${generation}-warm-up-${cell.endpoint}-${cell.variant}`, generation, cell };
  return { warmUp, finished: true, measurement: testMeasurement({ requests: 5000 }), failure: null, ...changes };
}

/** Good figures of a cell over ten rounds of 1,000 requests. */
export function testFigures(changes: Partial<SummaryFigures> = {}): SummaryFigures {
  const rounds = changes.rounds ?? 10;
  const requests = changes.requests ?? rounds * 1000;
  return {
    cell: testCell(),
    rounds,
    plannedRounds: 10,
    requests,
    failedRequests: 0,
    unfinishedRequests: 0,
    failedRate: requests === 0 ? null : (changes.failedRequests ?? 0) / requests,
    checksPassed: requests,
    checksFailed: 0,
    checksRate: requests === 0 ? null : 1,
    requestsPerSecond: testRates(new Array<number>(rounds).fill(1000)),
    latencyMs: requests === 0 ? noPercentiles : testPercentiles(10),
    timeToFirstByteMs: requests === 0 ? noPercentiles : testPercentiles(8),
    percentilesFrom: requests === 0 ? null : 'merged-histograms',
    bytesPerResponse: requests === 0 ? null : testBodyBytes,
    errors: {},
    failedCheckExamples: [],
    cpuMsPerRequest: { generator: null, api: null, postgres: null, redis: null },
    generatorShare: null,
    peakResidentBytes: null,
    ...changes,
  };
}

/** Rates by round, from round 1 on. */
export function testRates(values: readonly number[]): SummaryFigures['requestsPerSecond'] {
  const mean = values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    mean,
    min: values.length === 0 ? null : Math.min(...values),
    max: values.length === 0 ? null : Math.max(...values),
    coefficientOfVariation: null,
    perRound: values.map((value, index) => ({ round: index + 1, generation: Math.ceil((index + 1) / 2), value })),
  };
}

export const validVerdict: Verdict = { state: 'valid', reasons: [], notes: [] };

export function testSummary(changes: Partial<Summary> = {}): Summary {
  return {
    ...testFigures(changes),
    thresholds: [],
    verdicts: { throughput: validVerdict, latency: validVerdict },
    ...changes,
  };
}

export function testParity(changes: Partial<ParityResult> = {}): ParityResult {
  return {
    endpoint: 'products',
    passed: true,
    difference: null,
    status: 200,
    bodyBytes: testBodyBytes,
    bodySha256: null,
    hopByHop: {},
    ...changes,
  };
}
