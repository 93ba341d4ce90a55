import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { sets } from '../../tests/fixtures/sets.ts';
import type { Slice } from '../model/plan.ts';
import { clock, liveLine, percent } from './progress-line.ts';
import { advance, startProgress, type Progress } from './progress-state.ts';

const { plan, slices } = sets.healthy();

function running(endpoint: string, vus: number, variant: string, round: number): Progress {
  const slice = plan.generations
    .flatMap((generation): readonly Slice[] => generation.slices)
    .find(
      ({ cell, round: its }) =>
        cell.endpoint === endpoint && cell.load.vus === vus && cell.variant === variant && its === round,
    )!;
  const record = slices.find((each) => each.slice.id === slice.id)!;
  const ended = advance(startProgress(plan, 0), { kind: 'slice-ended', record }, 1000);
  return advance(ended, { kind: 'slice-started', slice }, 1000);
}

test('shows a bar, the share done, what runs now, the last rate and the time left', () => {
  const line = liveLine(running('products', 100, 'go', 3), 1000, 100);
  expect(line).toBe('────────────────   0 % products · 100 VUs · go · round 3/10 · go 4,395 req/s · 4:07 left');
});

test('the bar stands still whatever runs; the rate is left out where it does not fit', () => {
  const [short, long] = [running('hello', 20, 'go', 3), running('products-where-like', 100, 'node', 10)].map((state) =>
    liveLine(state, 1000, 79),
  );
  expect(short).toMatch(/^─{9} {3}0 % hello · 20 VUs · go · round 3\/10 · go [\d,]+ req\/s · \d:\d\d left$/);
  expect(long).toMatch(/^─{9} {3}0 % products-where-like · 100 VUs · node · round 10\/10 · \d:\d\d left$/);
});

test.each([120, 80, 79, 60, 40, 20, 10, 1])('is at most %i columns wide', (width) => {
  const busy = running('products-where-like', 100, 'node', 10);
  const preparing = advance(busy, { kind: 'environment', line: '構築 '.repeat(40) }, 0);
  for (const state of [busy, preparing]) expect(stringWidth(liveLine(state, 1000, width))).toBeLessThanOrEqual(width);
});

test('times and shares', () => {
  expect([0, 400, 59_001, 252_000, 3_723_000].map(clock)).toEqual(['0:00', '0:01', '1:00', '4:12', '1:02:03']);
  expect([0, 0.099, 0.9999, 1].map(percent)).toEqual(['  0 %', '  9 %', ' 99 %', '100 %']);
});
