import type { Contestant } from './contestant.ts';
import type { Outcome, Rounds } from './claims.ts';
import { spreadOf, type Spread } from './ratio.ts';

const columns = [12, 13, 9, 19, 8, 17] as const;

function line(cells: readonly string[]): string {
  return cells
    .map((cell, index) => (index < 2 ? cell.padEnd(columns[index] ?? 0) : cell.padStart(columns[index] ?? 0)))
    .join('')
    .trimEnd();
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function micros(value: number): string {
  return value.toFixed(1);
}

function range(spread: Spread | null, format: (value: number) => string): string {
  return spread === null ? 'n/a' : `${format(spread.min)}–${format(spread.max)}`;
}

/** One target's figures: median and extremes over the rounds, 80 columns. */
export function figures(title: string, contestants: readonly Contestant[], rounds: Rounds): string {
  const rows = contestants.map(({ name, checks }) => {
    const samples = rounds.get(name) ?? [];
    const rate = spreadOf(samples.map(({ requestsPerSecond }) => requestsPerSecond));
    const cpu = spreadOf(samples.flatMap(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest ?? []));
    return line([
      name,
      checks,
      rate === null ? 'n/a' : whole(rate.median),
      range(rate, whole),
      cpu === null ? 'n/a' : micros(cpu.median),
      range(cpu, micros),
    ]);
  });
  const head = line(['generator', 'checks', 'req/s', 'min–max', 'CPU µs', 'min–max']);
  return [title, head, ...rows].join('\n');
}

/** What follows: each claim with the ratio over the rounds. */
export function verdicts(outcomes: readonly Outcome[]): string {
  return outcomes
    .map(({ text, ratio, holds }) => {
      const state = holds === null ? 'not judged' : holds ? 'holds' : 'DOES NOT HOLD';
      const ratios =
        ratio === null ? 'n/a' : `${ratio.median.toFixed(2)} (${range(ratio, (value) => value.toFixed(2))})`;
      return `  ${text.padEnd(43)}${ratios.padEnd(20)}${state}`;
    })
    .join('\n');
}
