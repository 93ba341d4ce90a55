import type { ComponentHandle } from '../model/environment.ts';
import type { Sample } from '../model/measurement.ts';
import { readCounters } from './counters.ts';
import { difference } from './difference.ts';

/** CPU and memory from one moment to another. */
export interface Observation {
  /** The sample from the moment observe() was called until now. */
  end(): Sample;
}

/** Reads the components now, and again when the observation ends. Both take a few milliseconds. */
export function observe(components: Readonly<Record<string, ComponentHandle>>): Observation {
  const before = readCounters(components);
  return { end: () => difference(before, readCounters(components)) };
}
