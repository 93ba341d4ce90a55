import type { AskedHandle, ComponentHandle, ProcessHandle, UsageReading } from '../model/environment.ts';
import type { Sample } from '../model/measurement.ts';
import { usageBetween } from './asked.ts';
import { readCounters } from './counters.ts';
import { difference } from './difference.ts';

/** CPU and memory from one moment to another. */
export interface Observation {
  /** The sample from the moment observe() was ready until now. */
  end(): Promise<Sample>;
}

/** Reads the components now, and again when the observation ends. Both take a few milliseconds, longer where an engine is asked. */
export async function observe(components: Readonly<Record<string, ComponentHandle>>): Promise<Observation> {
  const processes: Record<string, ProcessHandle> = {};
  const asked: Record<string, AskedHandle> = {};
  for (const [name, handle] of Object.entries(components)) {
    if (handle.kind === 'asked') asked[name] = handle;
    else processes[name] = handle;
  }
  const askedBefore = await ask(asked);
  const before = readCounters(processes);
  return {
    end: async () => {
      const sample = difference(before, readCounters(processes));
      const askedAfter = await ask(asked);
      const elapsedMs = performance.now() - askedBefore.atMs;
      const told = Object.entries(asked).map(([name, { cores }]) => [
        name,
        usageBetween(askedBefore.readings[name], askedAfter.readings[name], elapsedMs, cores),
      ]);
      return { ...sample, components: { ...sample.components, ...(Object.fromEntries(told) as Sample['components']) } };
    },
  };
}

interface Answers {
  /** When they were asked, on a clock that only goes forward. */
  readonly atMs: number;
  readonly readings: Readonly<Record<string, UsageReading>>;
}

/** All at once: one after the other, the last would be asked milliseconds after the first. */
async function ask(handles: Readonly<Record<string, AskedHandle>>): Promise<Answers> {
  const atMs = performance.now();
  const readings = await Promise.all(
    Object.entries(handles).map(async ([name, handle]) => [name, await handle.read()] as const),
  );
  return { atMs, readings: Object.fromEntries(readings) };
}
