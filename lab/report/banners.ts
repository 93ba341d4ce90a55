import type { ResultSet } from '../model/result.ts';
import { formatDuration, formatNumber } from './format-number.ts';
import { unequalItems } from './manifest.ts';

/** What a reader must know before any number. */
export interface Banner {
  readonly title: string;
  readonly text: string;
}

export function bannersOf(set: ResultSet): Banner[] {
  return [...partial(set), ...parityFailed(set), ...unequal(set), ...firstLook(set)];
}

function partial(set: ResultSet): Banner[] {
  if (set.status === 'complete') return [];
  const { runs, plannedRuns } = set.headline;
  const measured = `${formatNumber(runs, 0)} of ${formatNumber(plannedRuns, 0)} runs were measured`;
  const why = set.statusReason ?? 'the study did not reach its end';
  return [{ title: 'PARTIAL SET', text: `${why}; ${measured}. Rows rest on fewer rounds than planned, or on none.` }];
}

function parityFailed(set: ResultSet): Banner[] {
  return set.parity
    .filter((result) => !result.passed)
    .map(({ endpoint, difference }) => ({
      title: 'NOT THE SAME WORK',
      text: `${endpoint}: ${difference ?? 'the variants do not answer alike'}. Its cells were not loaded.`,
    }));
}

function unequal(set: ResultSet): Banner[] {
  const items = unequalItems(set);
  if (items.length === 0) return [];
  return [
    {
      title: 'NOT ON EQUAL TERMS',
      text: `${items.join('; ')}. The ratios hold for these terms only.`,
    },
  ];
}

function firstLook({ plan }: ResultSet): Banner[] {
  if (!plan.firstLook) return [];
  const per = `${formatDuration(plan.durationMs)} a cell, ${counted(plan.generations.length, 'generation')}`;
  return [{ title: 'A FIRST LOOK', text: `${per}: a sketch of the result, not a basis for a claim.` }];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
