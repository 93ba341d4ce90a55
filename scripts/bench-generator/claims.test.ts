import { expect, test } from 'vitest';
import { judge, type Rounds } from './claims.ts';

const round = (requestsPerSecond: number, cpuMicrosPerRequest: number | null) => ({
  requestsPerSecond,
  cpuMicrosPerRequest,
});

function outcomes(rounds: Rounds): (boolean | null)[] {
  return judge(rounds).map(({ holds }) => holds);
}

test('both claims at their limits', () => {
  const k6 = [round(50, 90)];
  expect(
    outcomes(
      new Map([
        ['builtin', [round(100, 30)]],
        ['autocannon', [round(100, 40)]],
        ['k6', k6],
      ]),
    ),
  ).toEqual([true, true]);
  expect(
    outcomes(
      new Map([
        ['builtin', [round(99.9, 30.1)]],
        ['autocannon', [round(100, 40)]],
        ['k6', k6],
      ]),
    ),
  ).toEqual([false, false]);
});

test('the median of the rounds decides', () => {
  const builtin = [round(120, 1), round(110, 1), round(50, 1)];
  const autocannon = [round(100, 1), round(100, 1), round(100, 1)];
  const [rate] = judge(
    new Map([
      ['builtin', builtin],
      ['autocannon', autocannon],
    ]),
  );
  expect(rate).toMatchObject({ holds: true, ratio: { median: 1.1, min: 0.5, max: 1.2 } });
});

test('without k6, or without /proc, its claim is not judged', () => {
  const autocannon = [round(100, null)];
  expect(
    outcomes(
      new Map([
        ['builtin', [round(100, null)]],
        ['autocannon', autocannon],
      ]),
    ),
  ).toEqual([true, null]);
  expect(
    outcomes(
      new Map([
        ['builtin', [round(100, null)]],
        ['autocannon', autocannon],
        ['k6', [round(1, null)]],
      ]),
    ),
  ).toEqual([true, null]);
});
