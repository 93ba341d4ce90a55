import { describe, expect, test } from 'vitest';
import type { Measurement, WorkDone } from '../../model/measurement.ts';
import { testCell, testEndpoints, testMeasurement, testRecord, testWork } from '../../model/test-records.ts';
import { testEvidence } from '../test-evidence.ts';
import { workDone } from './work-done.ts';

const cell = testCell();
const responses = 1020;
const sql = (products: number | null, like: number | null = 0) => ({
  'sql/products.sql': products,
  'sql/products-where-like.sql': like,
});
/** 20 VUs, 1,000 requests in the window and 20 outside it; slices with these counters. */
function evaluate(
  endpoint: keyof typeof testEndpoints,
  works: readonly (Partial<WorkDone> | null)[],
  measurement: Partial<Measurement> = {},
) {
  return workDone.evaluate(
    testEvidence({
      endpoint: testEndpoints[endpoint],
      records: works.map((work, index) =>
        testRecord(cell, index + 1, {
          measurement: testMeasurement(measurement),
          work: work === null ? null : testWork(work),
        }),
      ),
    }),
  );
}
const tripped = (seen: string) => ({ state: 'tripped', effect: 'invalid', seen });

describe('a database endpoint', () => {
  test('has one call of its query a response, ± VUs', () => {
    expect(evaluate('products', [{ queryCalls: sql(responses - 20) }, { queryCalls: sql(responses + 20) }]).state).toBe(
      'kept',
    );
    expect(evaluate('products', [{ queryCalls: sql(responses - 21) }]).state).toBe('tripped');
    expect(evaluate('products', [{ queryCalls: sql(responses + 21) }]).state).toBe('tripped');
  });

  test('an API that skips its query is seen, with how many slices', () => {
    expect(evaluate('products', [{ queryCalls: sql(0) }, { queryCalls: sql(responses) }])).toEqual(
      tripped('calls of sql/products.sql: 0, not 1,000 to 1,040 (1 of 2 slices)'),
    );
  });

  test('must not touch the cache, nor make another query', () => {
    expect(evaluate('products', [{ queryCalls: sql(responses), keyspaceHits: 21 }])).toEqual(
      tripped('keyspace hits: 21, not at most 20 (1 of 1 slices)'),
    );
    expect(evaluate('products', [{ queryCalls: sql(responses, 21) }]).state).toBe('tripped');
    expect(evaluate('products', [{ queryCalls: sql(responses, 20), keyspaceMisses: 20 }]).state).toBe('kept');
  });
});

describe('a cached endpoint', () => {
  const hits = { cache: { hit: responses, miss: 0, absent: 0 } };

  test('has one keyspace hit a HIT, and no query while it hits', () => {
    expect(evaluate('cached', [{ keyspaceHits: responses, queryCalls: sql(0) }], hits)).toEqual({ state: 'kept' });
    expect(evaluate('cached', [{ keyspaceHits: responses - 20, queryCalls: sql(20) }], hits).state).toBe('kept');
  });

  test('an API that answers HIT from its own memory is seen', () => {
    expect(evaluate('cached', [{ keyspaceHits: 0 }], hits)).toEqual(
      tripped('keyspace hits: 0, not 1,000 to 1,040 (1 of 1 slices)'),
    );
  });

  test('an API that says HIT and asks the database is seen', () => {
    expect(evaluate('cached', [{ keyspaceHits: responses, queryCalls: sql(21) }], hits).state).toBe('tripped');
  });

  test('an honest MISS is a keyspace miss and a query: the rule checks judges it', () => {
    const misses = { cache: { hit: 0, miss: responses, absent: 0 } };
    expect(evaluate('cached', [{ keyspaceMisses: responses, queryCalls: sql(responses) }], misses).state).toBe('kept');
    expect(evaluate('cached', [{ keyspaceMisses: 0, queryCalls: sql(responses) }], misses).state).toBe('tripped');
  });
});

describe('a fixed answer', () => {
  test('touches neither database nor cache', () => {
    expect(evaluate('hello', [{}]).state).toBe('kept');
    expect(evaluate('hello', [{ queryCalls: sql(21) }]).state).toBe('tripped');
    expect(evaluate('hello', [{ keyspaceMisses: 21 }]).state).toBe('tripped');
  });
});

describe('what cannot be had', () => {
  test('no counters at all: not evaluated', () => {
    const nothing = { keyspaceHits: null, keyspaceMisses: null, queryCalls: sql(null, null) };
    expect(evaluate('products', [null, nothing]).state).toBe('not-evaluated');
  });

  test('some counters: those are judged', () => {
    const database = { keyspaceHits: null, keyspaceMisses: null, queryCalls: sql(0) };
    expect(evaluate('products', [database]).state).toBe('tripped');
  });

  test('a slice with failed requests did less work by right', () => {
    expect(evaluate('products', [{ queryCalls: sql(0) }], { failedRequests: 1 }).state).toBe('not-evaluated');
  });
});
