import type { ComponentSample, Sample } from '../model/measurement.ts';
import type { ComponentCounters, Counters, Unreadable } from './counters.ts';
import { ticksPerSecond } from './proc.ts';

type Reading = ComponentCounters | Unreadable | undefined;

const millisecondsPerTick = 1000 / ticksPerSecond;

/** What was used between two moments. What cannot be had is null, with the reason; never zero. */
export function difference(before: Counters, after: Counters): Sample {
  const names = new Set([...Object.keys(before.components), ...Object.keys(after.components)]);
  const components = [...names].map((name) => [name, compare(before.components[name], after.components[name])]);
  return {
    elapsedMs: after.atMs - before.atMs,
    components: Object.fromEntries(components) as Sample['components'],
    host: hostDifference(before, after),
  };
}

function compare(before: Reading, after: Reading): ComponentSample {
  if (before === undefined) return unknown('it was not there at the start of the run');
  if (after === undefined) return unknown('it was not there at the end of the run');
  if ('unreadable' in before) return unknown(`at the start of the run: ${before.unreadable}`);
  if ('unreadable' in after) return unknown(`at the end of the run: ${after.unreadable}`);
  if (before.pid !== after.pid) return unknown(`it was restarted during the run: pid ${before.pid}, then ${after.pid}`);
  if (before.startTicks !== after.startTicks) return unknown(`pid ${after.pid} is another process than at the start`);
  const userTicks = after.userTicks - before.userTicks;
  const systemTicks = after.systemTicks - before.systemTicks;
  if (userTicks < 0 || systemTicks < 0) {
    return unknown(`its CPU time went backwards (user ${userTicks}, system ${systemTicks} ticks)`);
  }
  const memory = [before.residentBytes, after.residentBytes].filter((bytes) => bytes !== null);
  return {
    cpuUserMs: userTicks * millisecondsPerTick,
    cpuSystemMs: systemTicks * millisecondsPerTick,
    residentBytes: memory.length > 0 ? Math.max(...memory) : null,
    reason: memory.length > 0 ? null : 'the kernel does not say how much memory is resident',
  };
}

function unknown(reason: string): ComponentSample {
  return { cpuUserMs: null, cpuSystemMs: null, residentBytes: null, reason };
}

function hostDifference(before: Counters, after: Counters): Sample['host'] {
  if (before.host === null || after.host === null) return null;
  const busyTicks = after.host.busyTicks - before.host.busyTicks;
  const idleTicks = after.host.idleTicks - before.host.idleTicks;
  const stealTicks = after.host.stealTicks - before.host.stealTicks;
  // proc_stat(5): the idle time of some kernels is not monotonic.
  if (busyTicks < 0 || idleTicks < 0 || stealTicks < 0) return null;
  return {
    busyMs: busyTicks * millisecondsPerTick,
    idleMs: idleTicks * millisecondsPerTick,
    stealMs: stealTicks * millisecondsPerTick,
  };
}
