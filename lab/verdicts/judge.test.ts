import { describe, expect, test } from 'vitest';
import {
  testCell,
  testEndpoints,
  testFigures,
  testMeasurement,
  testParity,
  testPercentiles,
  testRecord,
  testThresholds,
  testWarmUp,
} from '../model/test-records.ts';
import { examine, judge, judgeCells } from './index.ts';
import { testEvidence } from './test-evidence.ts';

describe('judging a cell', () => {
  test('a healthy one is valid for both metrics, without reasons or notes', () => {
    const valid = { state: 'valid', reasons: [], notes: [] };
    expect(judge(testEvidence())).toEqual({ throughput: valid, latency: valid });
  });

  test('a reason says what was seen, against which limit, and what to do', () => {
    const { throughput } = judge(testEvidence({ figures: testFigures({ failedRequests: 200, failedRate: 0.02 }) }));
    expect(throughput).toEqual({
      state: 'invalid',
      reasons: [
        {
          rule: 'failed-requests',
          seen: '200 of 10,000 requests failed (2 %)',
          limit: 'failed < 1 %; a note above 0',
          advice: "see `errors` in result.json, then the stack's log",
        },
      ],
      notes: [],
    });
  });

  test('a rule about latency leaves throughput alone', () => {
    const verdicts = judge(testEvidence({ figures: testFigures({ latencyMs: testPercentiles(200) }) }));
    expect(verdicts.throughput.state).toBe('valid');
    expect(verdicts.latency).toMatchObject({ state: 'suspect', reasons: [{ rule: 'p95' }] });
  });

  test('the worst effect decides; invalid reasons come first; notes change nothing', () => {
    const { latency } = judge(
      testEvidence({
        figures: testFigures({
          latencyMs: testPercentiles(200),
          checksPassed: 5,
          checksFailed: 5,
          checksRate: 0.5,
          rounds: 8,
        }),
      }),
    );
    expect(latency.state).toBe('invalid');
    expect(latency.reasons.map(({ rule }) => rule)).toEqual(['checks', 'p95']);
    expect(latency.notes.map(({ rule }) => rule)).toEqual(['incomplete']);
  });

  test('all responses are errors and very fast: invalid, not fast', () => {
    const rates = testFigures({
      failedRequests: 10_000,
      failedRate: 1,
      checksPassed: 0,
      checksFailed: 10_000,
      checksRate: 0,
    });
    const { throughput } = judge(testEvidence({ figures: rates }));
    expect(throughput.state).toBe('invalid');
    expect(throughput.reasons.map(({ rule }) => rule)).toEqual(['failed-requests', 'checks']);
  });

  test('an endpoint that was not loaded has one reason: the first difference', () => {
    const difference = 'node: body differs at byte 17';
    const verdicts = judge(
      testEvidence({
        figures: testFigures({ rounds: 0 }),
        records: [],
        peers: [],
        parity: testParity({ passed: false, difference }),
      }),
    );
    expect(verdicts.throughput.reasons.map(({ rule, seen }) => [rule, seen])).toEqual([
      ['parity-failed', `not loaded: ${difference}`],
    ]);
    expect(verdicts.throughput.notes).toEqual([]);
  });

  test('missing evidence is not evaluated, which is neither good nor bad', () => {
    const bare = testEvidence({ figures: testFigures({ rounds: 0 }), records: [], peers: [], parity: null });
    const states = Object.fromEntries(examine(bare).map(({ rule, outcome }) => [rule.name, outcome.state]));
    expect(states).toMatchObject({
      'parity-failed': 'not-evaluated',
      'failed-requests': 'not-evaluated',
      checks: 'not-evaluated',
      'body-bytes': 'not-evaluated',
      'work-done': 'not-evaluated',
      p95: 'not-evaluated',
      'no-requests': 'tripped',
    });
  });
});

describe('judging a set', () => {
  const go = testCell('go');
  const node = testCell('node');
  const set = {
    records: [
      testRecord(go, 1, { measurement: testMeasurement({ bytesReceived: 1 }) }),
      testRecord(node, 1),
      testRecord(testCell('node', 'hello'), 1, { failure: { code: 'GENERATOR_FAILED', message: '' } }),
    ],
    warmUps: [testWarmUp(go, 1), testWarmUp(testCell('node', 'products', 100), 1, { finished: false })],
    unreadableRaws: [],
    endpoints: [testEndpoints.products],
    thresholds: testThresholds,
    parity: [testParity()],
    sameHost: false,
  };

  test('gives each cell its own slices, thresholds and verdicts', () => {
    const [first, second] = judgeCells(
      [go, node].map((cell) => testFigures({ cell, rounds: 1, plannedRounds: 1 })),
      set,
    );
    expect(first!.thresholds).toHaveLength(3);
    expect(first!.verdicts.throughput.reasons.map(({ rule }) => rule)).toEqual(['body-bytes']);
    expect(first!.verdicts.throughput.notes).toEqual([]);
    expect(second!.verdicts.throughput).toMatchObject({ state: 'valid', notes: [{ rule: 'warm-up' }] });
  });

  test('a cell of an endpoint that nobody knows is a defect of the caller', () => {
    expect(() => judgeCells([testFigures({ cell: testCell('go', 'nowhere') })], set)).toThrow(RangeError);
  });
});
