import { describe, expect, test } from 'vitest';
import type { Summary, Verdict } from '../model/result.ts';
import { testCell, testRates, testSummary, testThresholds, validVerdict } from '../model/test-records.ts';
import { compareThroughput, pairedLogRatios } from './comparison.ts';
import { sampleOf, testRandom } from './test-random.ts';

function summaryOf(variant: string, rates: readonly number[], changes: Partial<Summary> = {}): Summary {
  return testSummary({
    cell: testCell(variant),
    rounds: rates.length,
    requestsPerSecond: testRates(rates),
    ...changes,
  });
}
const compare = (...summaries: Summary[]) => compareThroughput(summaries, 'node', testThresholds);
const judged = (throughput: Verdict) => ({ verdicts: { throughput, latency: validVerdict } });
const reason = { rule: 'checks', seen: '3 of 100 checks failed', limit: 'checks > 99 %', advice: 'look' };

/** Rates around `centre`, 2 % apart. */
const noisy = (seed: number, centre: number, rounds = 10): number[] => {
  const random = testRandom(seed);
  return sampleOf(rounds, () => centre * Math.exp(0.02 * random.normal()));
};
const node = summaryOf('node', noisy(1, 1000));
const go = summaryOf('go', noisy(2, 1500));

describe('pairs', () => {
  test('are rounds in which both served requests', () => {
    const variant = summaryOf('go', [2000, 0, 3000, 4000]);
    const baseline = summaryOf('node', [1000, 1000, 0]);
    expect(pairedLogRatios(variant, baseline)).toEqual([Math.log(2000) - Math.log(1000)]);
  });
});

describe('a clear difference', () => {
  const [row] = compare(go, node);

  test('has the ratio, an interval around it and the confidence that ten rounds attain', () => {
    expect(row).toMatchObject({
      metric: 'throughput',
      variant: 'go',
      baseline: 'node',
      pairs: 10,
      outcome: 'different',
    });
    expect(row!.ratio).toBeGreaterThan(1.46);
    expect(row!.ratio).toBeLessThan(1.54);
    expect(row!.interval!.low).toBeLessThan(row!.ratio!);
    expect(row!.interval!.high).toBeGreaterThan(row!.ratio!);
    expect(row!.interval!.confidence).toBe(1 - 50 / 1024);
    // All ten rounds on one side: 2/2^10, and the only row of its family.
    expect([row!.pValue, row!.adjustedPValue]).toEqual([2 / 1024, 2 / 1024]);
    expect(row!.smallestDetectableRatio).toBeNull();
  });

  test('swapping variant and baseline inverts ratio and interval and keeps the p-value', () => {
    const [swapped] = compareThroughput([go, node], 'go', testThresholds);
    expect(swapped!.variant).toBe('node');
    expect(swapped!.ratio).toBeCloseTo(1 / row!.ratio!, 12);
    expect(swapped!.interval!.low).toBeCloseTo(1 / row!.interval!.high, 12);
    expect(swapped!.interval!.high).toBeCloseTo(1 / row!.interval!.low, 12);
    expect(swapped!.pValue).toBe(row!.pValue);
  });

  test('a machine twice as fast changes nothing', () => {
    const doubled = (summary: Summary) =>
      summaryOf(
        summary.cell.variant,
        summary.requestsPerSecond.perRound.map(({ value }) => 2 * value),
      );
    const [faster] = compare(doubled(go), doubled(node));
    expect(faster!.ratio).toBeCloseTo(row!.ratio!, 12);
    expect(faster!.interval!.low).toBeCloseTo(row!.interval!.low, 12);
  });
});

describe('outcomes', () => {
  test('an interval with 1 in it: no detectable difference, with what would have been seen', () => {
    const [row] = compare(summaryOf('go', noisy(3, 1000)), node);
    expect(row!.outcome).toBe('no-detectable-difference');
    const { low, high } = row!.interval!;
    expect(row!.smallestDetectableRatio).toBeGreaterThan(Math.sqrt(high / low));
    expect(row!.smallestDetectableRatio).toBeLessThan(1.1);
  });

  test('equal rates in every round: a ratio of 1 and no difference', () => {
    const [row] = compare(
      summaryOf('go', new Array<number>(10).fill(5)),
      summaryOf('node', new Array<number>(10).fill(5)),
    );
    expect(row).toMatchObject({ ratio: 1, pValue: 1, outcome: 'no-detectable-difference', smallestDetectableRatio: 1 });
  });

  test('too few rounds: a ratio without interval and p-value, not ranked', () => {
    const [row] = compare(summaryOf('go', noisy(2, 1500, 5)), node);
    expect(row).toMatchObject({ pairs: 5, interval: null, pValue: null, adjustedPValue: null, outcome: 'no-interval' });
    expect(row!.ratio).toBeGreaterThan(1.4);
  });

  test('no pairs at all: no ratio', () => {
    const [row] = compare(summaryOf('go', []), node);
    expect(row).toMatchObject({ pairs: 0, ratio: null, outcome: 'no-interval' });
  });

  test('an interval without 1 that the family does not allow is shown, not ranked', () => {
    // Eight rows of eight rounds: 2/2^8 each, times 8 is 0.0625.
    const rows = compareThroughput(
      Array.from({ length: 8 }, (_, index) => [
        summaryOf('go', noisy(10 + index, 1500, 8), { cell: testCell('go', `endpoint-${index}`) }),
        summaryOf('node', noisy(30 + index, 1000, 8), { cell: testCell('node', `endpoint-${index}`) }),
      ]).flat(),
      'node',
      testThresholds,
    );
    expect(rows).toHaveLength(8);
    for (const row of rows) {
      expect(row).toMatchObject({ pValue: 2 / 256, adjustedPValue: 16 / 256, outcome: 'shown-not-ranked' });
    }
  });

  test('an invalid cell withholds its comparison, keeps the numbers in the set, and says whose fault it is', () => {
    const invalid: Verdict = { state: 'invalid', reasons: [reason], notes: [] };
    const [row] = compare(go, summaryOf('node', noisy(1, 1000), judged(invalid)));
    expect(row).toMatchObject({ outcome: 'withheld', smallestDetectableRatio: null });
    expect(row!.ratio).not.toBeNull();
    expect(row!.verdict).toEqual({
      state: 'invalid',
      reasons: [{ ...reason, seen: 'node: 3 of 100 checks failed' }],
      notes: [],
    });
  });

  test('a withheld row stays in the family; a row without a test is not in it', () => {
    const invalid: Verdict = { state: 'invalid', reasons: [reason], notes: [] };
    const at = (vus: number, variant: string, rates: number[], changes: Partial<Summary> = {}) =>
      summaryOf(variant, rates, { cell: testCell(variant, 'products', vus), ...changes });
    const rows = compare(
      at(20, 'go', noisy(2, 1500)),
      at(20, 'node', noisy(1, 1000)),
      at(50, 'go', noisy(4, 1500), judged(invalid)),
      at(50, 'node', noisy(5, 1000)),
      at(100, 'go', noisy(6, 1500, 3)),
      at(100, 'node', noisy(7, 1000, 3)),
    );
    expect(rows.map(({ outcome }) => outcome)).toEqual(['different', 'withheld', 'no-interval']);
    expect(rows.map(({ adjustedPValue }) => adjustedPValue)).toEqual([4 / 1024, 4 / 1024, null]);
  });
});

describe('doubt', () => {
  const note = { ...reason, rule: 'incomplete' };

  test("is the worst cell's, with the reasons and notes of both, each named", () => {
    const suspect: Verdict = { state: 'suspect', reasons: [reason], notes: [note] };
    const noted: Verdict = { state: 'valid', reasons: [], notes: [note] };
    const [row] = compare(
      summaryOf('go', noisy(2, 1500), judged(noted)),
      summaryOf('node', noisy(1, 1000), judged(suspect)),
    );
    expect(row!.verdict.state).toBe('suspect');
    expect(row!.outcome).toBe('different');
    expect(row!.verdict.reasons.map(({ seen }) => seen)).toEqual(['node: 3 of 100 checks failed']);
    expect(row!.verdict.notes.map(({ seen }) => seen.slice(0, 5))).toEqual(['go: 3', 'node:']);
  });

  test("the generator's share is the faster cell's", () => {
    const shares = (fast: number | null, slow: number) =>
      compare(
        summaryOf('go', noisy(2, 1500), { generatorShare: fast }),
        summaryOf('node', noisy(1, 1000), { generatorShare: slow }),
      )[0]!.generatorShare;
    expect(shares(0.3, 0.2)).toBe(0.3);
    expect(shares(null, 0.2)).toBeNull();
  });

  test('a variant whose baseline has no such cell is not compared', () => {
    expect(compare(go, summaryOf('node', noisy(1, 1000), { cell: testCell('node', 'hello') }))).toEqual([]);
  });
});
