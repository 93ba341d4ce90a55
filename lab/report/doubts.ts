import type { Reason, ResultSet, Verdict } from '../model/result.ts';
import { cellName, rowName } from './names.ts';
import { rowsOf, type Row } from './rows.ts';
import { oneGenerationRule } from './one-generation.ts';
import { warmUpRule } from './warm-ups.ts';

/** A reason or a note, once, however many rows have it. */
export interface Doubt {
  /** `1`, `2`, … for reasons, `a`, `b`, … for notes. */
  readonly mark: string;
  readonly kind: 'reason' | 'note';
  readonly rule: string;
  readonly limit: string;
  readonly advice: string;
  /** Where it was seen, and what. `where` is a row, or a cell of it. */
  readonly sightings: readonly Sighting[];
}

export interface Sighting {
  readonly row: string;
  readonly where: string;
  readonly seen: string;
}

export interface Doubts {
  readonly list: readonly Doubt[];
  /** The marks of everything that these verdicts say: `1,a`. Empty without doubt. */
  marksOf(verdicts: readonly (Verdict | undefined)[]): string;
}

interface Found {
  readonly kind: Doubt['kind'];
  readonly reason: Reason;
  readonly row: string;
  readonly where: string;
}

/** Collects every reason and note of a set, numbered in the order in which the tables show them. */
export function doubtsOf(set: ResultSet): Doubts {
  const rows = rowsOf(set);
  const found = [...rows.flatMap(throughputDoubts), ...rows.flatMap((row) => cellDoubts(set, row))];
  const groups = new Map<string, Found[]>();
  for (const item of found) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  const counters = { reason: 0, note: 0 };
  const byKey = new Map<string, Doubt>();
  for (const [key, items] of groups) {
    const [first] = items;
    if (first !== undefined) byKey.set(key, doubtOf(first, items, markOf(first.kind, counters[first.kind]++)));
  }
  return {
    list: [...byKey.values()].sort((a, b) => Number(a.kind === 'note') - Number(b.kind === 'note')),
    marksOf: (verdicts) => {
      const keys = verdicts.flatMap((verdict) => (verdict === undefined ? [] : doubtsIn(verdict, '', ''))).map(keyOf);
      return [...new Set(keys.map((key) => byKey.get(key)?.mark ?? ''))].filter(Boolean).join(',');
    },
  };
}

function throughputDoubts(row: Row): Found[] {
  return row.cells.flatMap(({ comparison }) =>
    comparison === undefined ? [] : doubtsIn(comparison.verdict, rowName(row), rowName(row)),
  );
}

function cellDoubts(set: ResultSet, row: Row): Found[] {
  return row.cells.flatMap(({ summary }) => {
    if (summary === undefined) return [];
    const where = cellName(set, summary.cell);
    return [summary.verdicts.throughput, summary.verdicts.latency].flatMap((verdict) =>
      doubtsIn(verdict, rowName(row), where),
    );
  });
}

function doubtsIn(verdict: Verdict, row: string, where: string): Found[] {
  return [
    ...verdict.reasons.map((reason) => ({ kind: 'reason' as const, reason, row, where })),
    ...verdict.notes.filter(isListed).map((reason) => ({ kind: 'note' as const, reason, row, where })),
  ];
}

/** Notes that nearly every row has, or none, have one sentence for all (warm-ups.ts, one-generation.ts). */
function isListed({ rule }: Reason): boolean {
  return rule !== warmUpRule && rule !== oneGenerationRule;
}

/** What was seen differs from row to row; the rule, its limit and the advice make it the same doubt. */
function keyOf({ kind, reason }: Found): string {
  return JSON.stringify([kind, reason.rule, reason.limit, reason.advice]);
}

function doubtOf({ kind, reason }: Found, items: readonly Found[], mark: string): Doubt {
  const { rule, limit, advice } = reason;
  const sightings = new Map(
    items.map(({ row, where, reason: { seen } }) => [`${where}\n${seen}`, { row, where, seen }] as const),
  );
  return { mark, kind, rule, limit, advice, sightings: [...sightings.values()] };
}

function markOf(kind: Doubt['kind'], index: number): string {
  return kind === 'reason' ? String(index + 1) : letters(index);
}

/** a … z, aa, ab, … */
function letters(index: number): string {
  const last = String.fromCharCode(97 + (index % 26));
  return index < 26 ? last : letters(Math.floor(index / 26) - 1) + last;
}
