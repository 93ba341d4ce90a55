import {
  testCell,
  testEndpoints,
  testFigures,
  testParity,
  testRecord,
  testThresholds,
  testWarmUp,
} from '../model/test-records.ts';
import type { Evidence } from './evidence.ts';

/** Evidence of a cell with nothing wrong: ten good rounds, parity passed. */
export function testEvidence(changes: Partial<Evidence> = {}): Evidence {
  const cell = changes.figures?.cell ?? testCell();
  return {
    figures: testFigures(),
    records: Array.from({ length: 10 }, (_, index) => testRecord(cell, index + 1)),
    warmUps: [1, 2, 3, 4, 5].map((generation) => testWarmUp(cell, generation)),
    unreadableRaws: [],
    endpoint: testEndpoints.products,
    peers: [testFigures({ cell: testCell('node') })],
    thresholds: testThresholds,
    parity: testParity(),
    sameHost: false,
    ...changes,
  };
}
