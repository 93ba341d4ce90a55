import { readFileSync } from 'node:fs';
import { parseStat } from '../../lab/load/k6/cpu.ts';

/** CPU time of a living process in microseconds (to the 10 ms tick); null where /proc is not there. */
export function cpuMicros(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const { own } = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return (own.userMs + own.systemMs) * 1000;
}

/** CPU time per request between two readings; null when one is missing, or when the readings do not tell two runs apart. */
export function perRequest(before: number | null, after: number | null, requests: number): number | null {
  if (before === null || after === null) return null;
  return after > before && requests > 0 ? (after - before) / requests : null;
}
