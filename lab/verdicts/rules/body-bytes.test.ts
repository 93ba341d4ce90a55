import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../model/measurement.ts';
import {
  testBodyBytes,
  testCell,
  testFigures,
  testMeasurement,
  testParity,
  testRecord,
} from '../../model/test-records.ts';
import { testEvidence } from '../test-evidence.ts';
import { bodyBytes } from './body-bytes.ts';

const cell = testCell();
const rounds = (...changes: Partial<Measurement>[]) =>
  changes.map((change, index) => testRecord(cell, index + 1, { measurement: testMeasurement(change) }));

describe('bodies alone: to the byte', () => {
  const evaluate = (...changes: Partial<Measurement>[]) =>
    bodyBytes.evaluate(testEvidence({ records: rounds(...changes) }));

  test('one byte in one round of ten is seen', () => {
    const outcome = evaluate({}, { bytesReceived: 1000 * testBodyBytes - 1 }, {});
    expect(outcome).toEqual({
      state: 'tripped',
      effect: 'invalid',
      seen: '7,699,999 bytes in 1,000 responses, not 7,700,000',
    });
  });

  test('one body that is 40 bytes shorter is seen', () => {
    expect(evaluate({ bytesReceived: 1000 * testBodyBytes - 40 }).state).toBe('tripped');
  });

  test('a round with failed requests is left to failed-requests', () => {
    expect(evaluate({}, { failedRequests: 1, bytesReceived: 5 }).state).toBe('kept');
    expect(evaluate({ failedRequests: 1, bytesReceived: 5 }).state).toBe('not-evaluated');
  });

  test('without a reference there is nothing to hold it against', () => {
    expect(bodyBytes.evaluate(testEvidence({ parity: null })).state).toBe('not-evaluated');
    expect(bodyBytes.evaluate(testEvidence({ parity: testParity({ bodyBytes: null }) })).state).toBe('not-evaluated');
  });
});

describe('headers included (k6)', () => {
  const evaluate = (own: number, peer: number, ownFailed = 0, peerFailed = 0) =>
    bodyBytes.evaluate(
      testEvidence({
        figures: testFigures({ bytesPerResponse: own, failedRequests: ownFailed }),
        records: rounds({ bytesReceived: 1000 * own, bytesInclude: 'bodies-and-headers' }),
        peers: [testFigures({ cell: testCell('node'), bytesPerResponse: peer, failedRequests: peerFailed })],
      }),
    );

  // 20 VUs, ten rounds, 10,000 requests: a cut-off response a VU and round is 2 % of each variant's bytes.
  test('variants within 128 bytes + one response a VU and run are alike, beyond it suspect', () => {
    const own = 7900;
    const atLimit = (0.98 * own - 128) / 1.02;
    expect(evaluate(own, atLimit + 1)).toEqual({ state: 'kept' });
    expect(evaluate(own, atLimit - 1)).toMatchObject({ state: 'tripped', effect: 'suspect' });
    expect(evaluate(own, 7000)).toMatchObject({ seen: '7,900 bytes per response, node sends 7,000' });
  });

  test('fewer bytes than the bodies of all responses but one a VU prove that bodies are short', () => {
    const atLimit = (testBodyBytes * (1000 - 20)) / 1000;
    expect(evaluate(atLimit - 1, testBodyBytes)).toMatchObject({ state: 'tripped', effect: 'invalid' });
    expect(evaluate(atLimit, testBodyBytes)).toEqual({ state: 'kept' });
  });

  test('variants with failed requests are not compared', () => {
    expect(evaluate(7900, 5000, 0, 3)).toEqual({ state: 'kept' });
    expect(evaluate(7900, 5000, 3, 0).state).toBe('not-evaluated');
  });

  test('the published study: 258 MB for 1.27 times as many requests as 203 MB are alike', () => {
    const perGoResponse = 258e6 / (1113.1 * 30);
    const perNodeResponse = 203e6 / (861.4 * 30);
    expect(evaluate(perGoResponse, perNodeResponse)).toEqual({ state: 'kept' });
  });
});
