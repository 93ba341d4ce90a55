/** Pure: no I/O, no clock, no randomness. Records of slices in; summaries, comparisons and headline figures out. */
export { compareThroughput } from './comparison.ts';
export { environmentDifferences } from './environment-differences.ts';
export { headline } from './headline.ts';
export { loadMovements } from './movement.ts';
export type { MergedPercentiles } from './percentiles.ts';
export { summarise } from './summary.ts';
