import type { Endpoint } from '../../model/contract.ts';
import type { Measurement, SliceRecord, WorkDone } from '../../model/measurement.ts';
import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';
import { count } from '../wording.ts';

/** One counter of database or cache, and the range that the responses explain. */
interface Expectation {
  readonly what: string;
  /** null: could not be had. */
  readonly seen: number | null;
  readonly low: number;
  readonly high: number;
}

/**
 * Did the servers do what the responses claim? An API that answers from its own memory is fast, and this is where it shows: query calls
 * (pg_stat_statements) and Redis keyspace hits and misses must add up with the responses, and what an endpoint must not
 * touch must not be touched. Requests still in flight at a run's end count on one side only, hence ± VUs a slice. Slices with
 * failed requests are left to the rule failed-requests: an error does less work by right.
 */
export const workDone: Rule = {
  name: 'work-done',
  scope: 'both',
  effects: ['invalid'],
  looksAt: 'query calls and keyspace hits and misses against the responses, per slice',
  limit: () => 'as many as the responses say, ± VUs a slice',
  advice: 'too few: answered from memory? too many: asked twice, or by somebody else?',
  evaluate({ records, endpoint }) {
    const slices = records.map((record) => expectationsOf(record, endpoint).filter(({ seen }) => seen !== null));
    const evaluated = slices.filter((expectations) => expectations.length > 0);
    if (evaluated.length === 0) return notEvaluated('the counters could not be had');
    const broken = evaluated.flatMap((expectations) => expectations.find(isBroken) ?? []);
    const first = broken[0];
    if (first === undefined) return kept;
    return tripped('invalid', `${describe(first)} (${broken.length} of ${evaluated.length} slices)`);
  },
};

function isBroken({ seen, low, high }: Expectation): boolean {
  return seen !== null && (seen < low || seen > high);
}

function describe({ what, seen, low, high }: Expectation): string {
  const wanted = low <= 0 ? `at most ${count(high)}` : `${count(low)} to ${count(high)}`;
  return `${what}: ${count(seen ?? 0)}, not ${wanted}`;
}

function expectationsOf({ slice, measurement, work }: SliceRecord, endpoint: Endpoint): readonly Expectation[] {
  if (measurement === null || work === null || measurement.failedRequests > 0) return [];
  const tolerance = slice.cell.load.vus;
  const about = (what: string, seen: number | null, expected: number): Expectation => ({
    what,
    seen,
    low: expected - tolerance,
    high: expected + tolerance,
  });
  const cached = endpoint.touches.includes('cache');
  return [
    about('keyspace hits', work.keyspaceHits, cached ? measurement.cache.hit : 0),
    about('keyspace misses', work.keyspaceMisses, cached ? measurement.cache.miss : 0),
    ...queryExpectations(endpoint, measurement, work).map(({ file, expected }) =>
      about(`calls of ${file}`, work.queryCalls[file] ?? null, expected),
    ),
  ];
}

/** The endpoint's own query once a response, or once a MISS where there is a cache; every other query never. */
function queryExpectations(
  endpoint: Endpoint,
  measurement: Measurement,
  work: WorkDone,
): readonly { readonly file: string; readonly expected: number }[] {
  const responses = measurement.requests + measurement.requestsOutsideWindow;
  const own = endpoint.touches.includes('cache') ? measurement.cache.miss : responses;
  return Object.keys(work.queryCalls).map((file) => ({
    file,
    expected: endpoint.touches.includes('database') && file === endpoint.query?.file ? own : 0,
  }));
}
