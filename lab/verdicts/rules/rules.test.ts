import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  testCell,
  testComponent,
  testFigures,
  testMeasurement,
  testParity,
  testPercentiles,
  testRates,
  testRecord,
  testSample,
  testThresholds,
  testWarmUp,
} from '../../model/test-records.ts';
import type { Evidence } from '../evidence.ts';
import type { Effect } from '../rule.ts';
import { testEvidence } from '../test-evidence.ts';
import { rules } from './index.ts';

const cell = testCell();
const failure = { code: 'GENERATOR_FAILED', message: 'no summary was written' };
const interruption = { code: 'INTERRUPTED', message: 'Ctrl-C' };
const good = Array.from({ length: 10 }, (_, index) => testRecord(cell, index + 1));
const oneLife = good.slice(0, 6).map((record) => ({ ...record, slice: { ...record.slice, generation: 1 } }));
const figures = (changes: Parameters<typeof testFigures>[0]): Partial<Evidence> => ({ figures: testFigures(changes) });
const unfinished = (failedRequests: number, unfinishedRequests: number) =>
  figures({ failedRequests, unfinishedRequests });
const latency = (p95: number) => figures({ latencyMs: { ...testPercentiles(10), p95 } });
const withRates = (...values: number[]) => figures({ requestsPerSecond: testRates(values) });

const heldBack = (throttledMs: number | null, component = 'api:node'): Partial<Evidence> => ({
  records: [1, 2].map((round) =>
    testRecord(cell, round, {
      sample: testSample({
        [component]: { ...testComponent(500), throttledMs },
        'api:other': { ...testComponent(1), throttledMs: 900 },
      }),
    }),
  ),
});

/** For each rule: evidence that trips it and with what effect, and evidence just inside its limit. */
const cases: Readonly<
  Record<
    string,
    { trips: readonly (readonly [Effect, string, Partial<Evidence>])[]; keeps: readonly Partial<Evidence>[] }
  >
> = {
  'parity-failed': {
    trips: [
      [
        'invalid',
        'not loaded: node: status 500',
        { parity: testParity({ passed: false, difference: 'node: status 500' }) },
      ],
    ],
    keeps: [{ parity: testParity() }],
  },
  throttled: {
    trips: [
      ['note', `api:${cell.variant} was held back for 50 % of the time`, heldBack(525, `api:${cell.variant}`)],
      ['note', 'generator was held back for 1 % of the time', heldBack(10.5, 'generator')],
    ],
    keeps: [heldBack(10.4, 'postgres'), heldBack(0, 'redis')],
  },
  'run-failed': {
    trips: [
      ['invalid', '1 of 1 runs failed: GENERATOR_FAILED', { records: [testRecord(cell, 1, { failure })] }],
      [
        'suspect',
        '1 of 10 runs failed: GENERATOR_FAILED',
        { records: [...good.slice(1), testRecord(cell, 1, { failure })] },
      ],
    ],
    keeps: [{ records: good }, { records: [...good.slice(1), testRecord(cell, 10, { failure: interruption })] }],
  },
  'no-requests': {
    trips: [
      ['invalid', '0 requests in 10 measured rounds', figures({ requests: 0 })],
      ['suspect', '0 requests in 1 of 10 measured rounds', withRates(1000, 0, 1000)],
    ],
    keeps: [withRates(1000, 1, 1000)],
  },
  'failed-requests': {
    trips: [
      ['invalid', '100 of 10,000 requests failed (1 %)', figures({ failedRequests: 100 })],
      ['note', '99 of 10,000 requests failed (0.99 %)', figures({ failedRequests: 99 })],
      ['note', '1 of 10,000 requests failed (0.01 %)', figures({ failedRequests: 1 })],
    ],
    keeps: [figures({ failedRequests: 0 })],
  },
  'unfinished-requests': {
    trips: [
      ['suspect', '1 requests never ended (0.01 % failed with them)', figures({ unfinishedRequests: 1 })],
      ['suspect', '50 requests never ended (0.995 % failed with them)', unfinished(50, 50)],
      ['invalid', '51 requests never ended (1 % failed with them)', unfinished(50, 51)],
      ['invalid', '4 requests never ended (100 % failed with them)', figures({ requests: 0, unfinishedRequests: 4 })],
    ],
    keeps: [figures({ failedRequests: 99, unfinishedRequests: 0 })],
  },
  checks: {
    trips: [
      [
        'invalid',
        '100 of 10,000 checks failed (1 %)',
        figures({ checksPassed: 9900, checksFailed: 100, checksRate: 0.99 }),
      ],
      [
        'note',
        '99 of 10,000 checks failed (0.99 %)',
        figures({ checksPassed: 9901, checksFailed: 99, checksRate: 0.9901 }),
      ],
    ],
    keeps: [figures({ checksPassed: 10_000, checksFailed: 0, checksRate: 1 })],
  },
  'body-bytes': {
    trips: [
      [
        'invalid',
        '7,660,000 bytes in 1,000 responses, not 7,700,000',
        { records: [testRecord(cell, 1, { measurement: testMeasurement({ bytesReceived: 7_660_000 }) })] },
      ],
    ],
    keeps: [{ records: [testRecord(cell, 1, { measurement: testMeasurement({ bytesReceived: 7_700_000 }) })] }],
  },
  // Its counters have a file of tests of their own.
  'work-done': { trips: [], keeps: [] },
  'share-unknown': {
    trips: [
      [
        'suspect',
        's is not known: no CPU time of postgres, redis',
        {
          sameHost: true,
          ...figures({ cpuMsPerRequest: { generator: 0.1, api: 0.1, postgres: null, redis: null } }),
        },
      ],
      [
        'suspect',
        's is not known: no CPU time of generator, api, postgres, redis',
        { sameHost: true, ...figures({ generatorShare: null }) },
      ],
    ],
    keeps: [{ sameHost: true, ...figures({ generatorShare: 0.9 }) }],
  },
  'one-generation': {
    trips: [['note', '6 rounds of one life of the process', { ...figures({ rounds: 6 }), records: oneLife }]],
    keeps: [{ ...figures({ rounds: 10 }), records: good }],
  },
  p95: {
    trips: [['suspect', 'p95 is 500 ms', latency(500)]],
    keeps: [latency(499.9)],
  },
  incomplete: {
    trips: [['note', '9 of 10 planned rounds were run', { ...figures({ rounds: 9 }), records: good.slice(1) }]],
    keeps: [
      { ...figures({ rounds: 10 }), records: good },
      { ...figures({ rounds: 9 }), records: [...good.slice(1), testRecord(cell, 1, { failure })] },
    ],
  },
  'raw-file': {
    trips: [
      [
        'note',
        '1 of 1 are missing or damaged: raw/slice.builtin.json',
        { records: good.slice(0, 1), unreadableRaws: ['raw/slice.builtin.json'] },
      ],
    ],
    keeps: [{ unreadableRaws: ['raw/of-another-cell.builtin.json'] }],
  },
  'warm-up': {
    trips: [
      [
        'note',
        '1 of 2 warm-ups ended before enough requests were made',
        { warmUps: [testWarmUp(cell, 1), testWarmUp(cell, 2, { finished: false })] },
      ],
    ],
    keeps: [{ warmUps: [testWarmUp(cell, 1)] }],
  },
};

describe.each(rules.map((rule) => [rule.name, rule] as const))('%s', (name, rule) => {
  test.each(cases[name]!.trips)('%s: %s', (effect, seen, changes) => {
    expect(rule.evaluate(testEvidence(changes))).toEqual({ state: 'tripped', effect, seen });
    expect(rule.effects).toContain(effect);
    expect(seen.length).toBeLessThanOrEqual(70);
  });

  test('just inside the limit it keeps quiet', () => {
    for (const changes of cases[name]!.keeps) expect(rule.evaluate(testEvidence(changes))).toEqual({ state: 'kept' });
  });

  test('has a limit and an advice that fit a line of 80 columns, and says what it looks at', () => {
    for (const words of [rule.limit(testThresholds), rule.advice, rule.looksAt]) {
      expect(words).toMatch(/\S/);
      expect(words.length).toBeLessThanOrEqual(78);
    }
    expect(rule.effects.length).toBeGreaterThan(0);
  });
});

describe('the list of rules', () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !/^index\.|\.test\.|\.map$|\.d\./.test(file));

  test('holds every file of the folder, under its own name, once', () => {
    const names = files.map((file) => file.replace(/\.[jt]s$/, ''));
    expect(rules.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  test('every rule has cases here', () => {
    expect(Object.keys(cases).sort()).toEqual(rules.map(({ name }) => name).sort());
  });

  test('is the table in docs/methodology.md, word for word', () => {
    const page = readFileSync(new URL('../../../docs/methodology.md', import.meta.url), 'utf8');
    for (const rule of rules) {
      const row = [`\`${rule.name}\``, rule.limit(testThresholds), rule.effects.join(', '), rule.scope, rule.looksAt];
      expect(page).toContain(`| ${row.join(' | ')} |`);
    }
  });
});

test('throttled says nothing where nobody tells', () => {
  const rule = rules.find(({ name }) => name === 'throttled');
  expect(rule?.evaluate(testEvidence({ records: good }))).toMatchObject({ state: 'not-evaluated' });
  expect(rule?.evaluate(testEvidence(heldBack(null, 'redis')))).toMatchObject({ state: 'not-evaluated' });
});
