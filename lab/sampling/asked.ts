import type { UsageReading } from '../model/environment.ts';
import type { ComponentSample } from '../model/measurement.ts';

/** The two clocks are read some milliseconds apart, and counters are rounded. */
const slackMs = 50;

/**
 * What was used between two readings. What cannot be true is not taken for a figure: counters that went backwards or belong to
 * two lives, or more CPU time than `cores` can give in `elapsedMs` (null: not known, not checked).
 */
export function usageBetween(
  before: UsageReading | undefined,
  after: UsageReading | undefined,
  elapsedMs: number,
  cores: number | null,
): ComponentSample {
  if (before === undefined || after === undefined) return unknown('it was not there during the whole run');
  if ('unreadable' in before) return unknown(`at the start of the run: ${before.unreadable}`);
  if ('unreadable' in after) return unknown(`at the end of the run: ${after.unreadable}`);
  if (before.life !== after.life) return unknown('it was restarted during the run');
  const used = after.cpuMs - before.cpuMs;
  const user = after.cpuUserMs - before.cpuUserMs;
  const system = after.cpuSystemMs - before.cpuSystemMs;
  if (used < 0 || user < 0 || system < 0) {
    return unknown(`its CPU time went backwards (user ${user.toFixed(1)}, system ${system.toFixed(1)} ms)`);
  }
  if (cores !== null && used > elapsedMs * cores + slackMs) {
    return unknown(`${used.toFixed(0)} ms of CPU in ${elapsedMs.toFixed(0)} ms on ${cores} cores is impossible`);
  }
  const memory = [before.residentBytes, after.residentBytes].filter((bytes) => bytes !== null);
  const throttledMs =
    before.throttledMs === null || after.throttledMs === null ? null : after.throttledMs - before.throttledMs;
  const userShare = user + system > 0 ? user / (user + system) : 1;
  return {
    cpuUserMs: used * userShare,
    cpuSystemMs: used * (1 - userShare),
    residentBytes: memory.length > 0 ? Math.max(...memory) : null,
    throttledMs: throttledMs !== null && throttledMs >= 0 ? throttledMs : null,
    reason: memory.length > 0 ? null : 'nobody says how much memory is resident',
  };
}

function unknown(reason: string): ComponentSample {
  return { cpuUserMs: null, cpuSystemMs: null, residentBytes: null, throttledMs: null, reason };
}
