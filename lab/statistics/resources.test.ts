import { describe, expect, test } from 'vitest';
import { testCell, testComponent, testMeasurement, testRecord, testSample } from '../model/test-records.ts';
import { measuredSlices, resourceFigures } from './resources.ts';

const cell = testCell('go');
const components = {
  generator: testComponent(90, 60),
  'api:go': testComponent(100, 20),
  'api:node': testComponent(999, 999),
  postgres: testComponent(50, 10),
  redis: testComponent(0, 0),
  lab: testComponent(777, 0),
};
const measurement = testMeasurement({ requests: 950, requestsOutsideWindow: 50 });
const slice = (round: number, changed: Parameters<typeof testSample>[0] = {}) =>
  testRecord(cell, round, { measurement, sample: testSample({ ...components, ...changed }) });
const figures = (...slices: ReturnType<typeof slice>[]) => resourceFigures(cell, measuredSlices(slices));

describe('CPU per request', () => {
  test('user and kernel time of the whole runs over all their requests, those outside the window included', () => {
    expect(figures(slice(1), slice(2)).cpuMsPerRequest).toEqual({
      generator: 0.15,
      api: 0.12,
      postgres: 0.06,
      redis: 0,
    });
  });

  test('is null for a component that one slice lacks, and stays for the others', () => {
    const withoutUser = figures(slice(1), slice(2, { postgres: testComponent(null, 5) }));
    expect(withoutUser.cpuMsPerRequest).toMatchObject({ postgres: null, api: 0.12 });
    const withoutSample = figures(slice(1), testRecord(cell, 2, { measurement }));
    expect(Object.values(withoutSample.cpuMsPerRequest)).toEqual([null, null, null, null]);
  });

  test('a failed run does not count as a gap', () => {
    const failed = testRecord(cell, 2, { failure: { code: 'GENERATOR_FAILED', message: '' } });
    expect(figures(slice(1), failed).cpuMsPerRequest.api).toBe(0.12);
  });
});

describe("the generator's share", () => {
  test("is of generator, this cell's API, PostgreSQL and Redis: not of idle APIs, not of the lab", () => {
    expect(figures(slice(1)).generatorShare).toBeCloseTo(150 / (150 + 120 + 60), 12);
  });

  test('is null unless every component is known', () => {
    expect(figures(slice(1, { redis: testComponent(null, null) })).generatorShare).toBeNull();
  });

  test('is null where no CPU was used, as 0 of 0 is nothing', () => {
    const idle = Object.fromEntries(Object.keys(components).map((name) => [name, testComponent(0)]));
    expect(figures(slice(1, idle)).generatorShare).toBeNull();
  });
});

test("peak memory is the largest of this cell's API at the slices' ends", () => {
  const large = { ...testComponent(1), residentBytes: 80 };
  const unknown = { ...testComponent(1), residentBytes: null };
  expect(figures(slice(1, { 'api:go': large }), slice(2, { 'api:go': unknown })).peakResidentBytes).toBe(80);
  expect(figures(slice(1, { 'api:go': unknown })).peakResidentBytes).toBeNull();
});
