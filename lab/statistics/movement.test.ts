import { describe, expect, test } from 'vitest';
import type { Comparison } from '../model/result.ts';
import { testCell, validVerdict } from '../model/test-records.ts';
import { loadMovements } from './movement.ts';

function row(endpoint: string, vus: number, ratio: number | null, changes: Partial<Comparison> = {}): Comparison {
  const { load } = testCell('go', endpoint, vus);
  return {
    metric: 'throughput',
    endpoint,
    load,
    variant: 'go',
    baseline: 'node',
    pairs: 10,
    ratio,
    interval: null,
    pValue: null,
    adjustedPValue: null,
    outcome: 'no-interval',
    smallestDetectableRatio: null,
    generatorShare: null,
    verdict: validVerdict,
    ...changes,
  };
}

describe('the movement with the load', () => {
  test('goes from the smallest to the largest load, whatever order the rows come in', () => {
    const [movement, ...others] = loadMovements([row('hello', 50, 9), row('hello', 100, 1.2), row('hello', 20, 1.5)]);
    expect(others).toEqual([]);
    expect(movement).toMatchObject({
      endpoint: 'hello',
      variant: 'go',
      baseline: 'node',
      from: { load: { vus: 20 }, ratio: 1.5 },
      to: { load: { vus: 100 }, ratio: 1.2 },
    });
    expect(movement!.ratioOfRatios).toBeCloseTo(0.8, 12);
  });

  test('the published study: Go/Node on /hello went from 1.65 to 1.28', () => {
    const [movement] = loadMovements([row('hello', 20, 3984.1 / 2407.6), row('hello', 100, 3638.1 / 2843.6)]);
    expect(movement!.ratioOfRatios).toBeCloseTo(0.773, 3);
  });

  test('is one row for each endpoint and variant, and none with a single load', () => {
    const rows = [
      row('hello', 20, 1),
      row('hello', 100, 1),
      row('hello', 20, 1, { variant: 'third' }),
      row('hello', 100, 1, { variant: 'third' }),
      row('products', 20, 1),
    ];
    expect(loadMovements(rows).map(({ endpoint, variant }) => `${endpoint} ${variant}`)).toEqual([
      'hello go',
      'hello third',
    ]);
  });

  test('does not go around a withheld ratio', () => {
    const [movement] = loadMovements([row('hello', 20, 1.5, { outcome: 'withheld' }), row('hello', 100, 1.2)]);
    expect(movement).toMatchObject({ from: { ratio: null }, to: { ratio: 1.2 }, ratioOfRatios: null });
  });
});
