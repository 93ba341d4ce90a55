import { expect, test } from 'vitest';
import { cpuMicrosPerRequest, joined, requestsPerSecond, turnOrder, type LoadSample } from './load-sample.ts';

const sample = (changes: Partial<LoadSample>): LoadSample => ({
  requestsInWindow: 100,
  windowMs: 1000,
  requests: 110,
  cpuMicros: 2200,
  ...changes,
});

test('runs together: all requests over all time, CPU over all requests', () => {
  const both = joined([sample({}), sample({ requestsInWindow: 300, windowMs: 1500, requests: 330, cpuMicros: 6600 })]);
  expect(both).toEqual({ requestsInWindow: 400, windowMs: 2500, requests: 440, cpuMicros: 8800 });
  expect(requestsPerSecond(both)).toBe(160);
  expect(cpuMicrosPerRequest(both)).toBe(20);
});

test('a run without requests still takes its time', () => {
  const both = joined([sample({}), sample({ requestsInWindow: 0, requests: 0, cpuMicros: 0 })]);
  expect(requestsPerSecond(both)).toBe(50);
});

test('what cannot be read is null, not zero', () => {
  expect(cpuMicrosPerRequest(joined([sample({}), sample({ cpuMicros: null })]))).toBeNull();
  expect(cpuMicrosPerRequest(sample({ cpuMicros: 0 }))).toBeNull();
  expect(cpuMicrosPerRequest(sample({ requests: 0 }))).toBeNull();
  expect(requestsPerSecond(joined([]))).toBe(0);
});

test('turns: each pair in the order of the one before, reversed', () => {
  expect(
    turnOrder(4)
      .map((isFirst) => (isFirst ? 'A' : 'B'))
      .join(''),
  ).toBe('ABBAABBA');
});
