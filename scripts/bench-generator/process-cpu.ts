import { readFileSync } from 'node:fs';
import { parseStat } from '../../lab/load/k6/cpu.ts';

/** CPU time of a living process in microseconds (to the 10 ms tick); null where /proc is not there. */
export function cpuMicros(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const { own } = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return (own.userMs + own.systemMs) * 1000;
}

/** CPU time between two readings, in microseconds; null when one is missing. */
export function spent(before: number | null, after: number | null): number | null {
  return before === null || after === null ? null : after - before;
}
