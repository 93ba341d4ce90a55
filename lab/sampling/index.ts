export { readCounters, type ComponentCounters, type Counters, type Unreadable } from './counters.ts';
export { difference } from './difference.ts';
export { observe, type Observation } from './sampler.ts';
