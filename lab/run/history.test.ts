import { expect, test } from 'vitest';
import { testMeasurement } from '../model/test-records.ts';
import { History } from './history.ts';

const good = { measurement: testMeasurement(), failure: null };
const failed = (code: string) => ({ measurement: null, failure: { code, message: 'no summary' } });

test('three failures of the generator in a row end the study; others, and a good run between, do not', () => {
  const history = new History({ cutsRequests: false });
  const ends = [failed('GENERATOR_FAILED'), failed('GENERATOR_FAILED'), good, failed('GENERATOR_FAILED')];
  for (const end of ends) history.note(end);
  history.note(failed('CACHE_NOT_PRIMED'));
  for (let count = 0; count < 2; count += 1) history.note(failed('GENERATOR_FAILED'));
  expect(() => {
    history.note(failed('GENERATOR_FAILED'));
  }).toThrow(/three times in a row: no summary/);
});

test('work is left behind by a generator that cuts requests, by a failed run, and by one with unfinished requests', () => {
  const drains = new History({ cutsRequests: false });
  const after = (end: Parameters<History['note']>[0]): boolean => {
    drains.note(end);
    return drains.endedWithCut;
  };
  expect(after(good)).toBe(false);
  expect(after({ measurement: testMeasurement({ unfinishedRequests: 3 }), failure: null })).toBe(true);
  expect(after(null)).toBe(true); // no run was made: what the one before left still counts
  expect(after(good)).toBe(false);
  expect(after(failed('GENERATOR_FAILED'))).toBe(true);

  const cuts = new History({ cutsRequests: true });
  expect(cuts.endedWithCut).toBe(false);
  cuts.note(good);
  expect(cuts.endedWithCut).toBe(true);
});
