import type { Measurement, SliceRecord } from '../model/measurement.ts';
import type { Cell } from '../model/plan.ts';
import type { Summary } from '../model/result.ts';
import { maximum } from './order-statistics.ts';

/** A slice that yielded a measurement. */
export type MeasuredSlice = SliceRecord & { readonly measurement: Measurement };

/** Those of `records` that yielded a measurement. */
export function measuredSlices(records: readonly SliceRecord[]): readonly MeasuredSlice[] {
  return records.flatMap((record) =>
    record.measurement === null ? [] : [{ ...record, measurement: record.measurement }],
  );
}

/** The components whose CPU a cell is charged with; `api` is this cell's own, not the other variants' idle ones. */
export const chargedComponents = ['generator', 'api', 'postgres', 'redis'] as const;
type ChargedComponent = (typeof chargedComponents)[number];

/**
 * CPU per request by component, the generator's share, and peak memory.
 *
 * Samples span whole runs, so CPU is divided by all requests of the runs, those outside the window included. A component that
 * went unsampled in any slice is null for the cell: a sum over some of the slices would be neither a total nor a mean of
 * the rounds that the rate is about.
 */
export function resourceFigures(
  cell: Cell,
  slices: readonly MeasuredSlice[],
): Pick<Summary, 'cpuMsPerRequest' | 'generatorShare' | 'peakResidentBytes'> {
  const requests = slices.reduce(
    (total, { measurement }) => total + measurement.requests + measurement.requestsOutsideWindow,
    0,
  );
  const cpuMs = new Map(chargedComponents.map((component) => [component, totalCpuMs(cell, component, slices)]));
  const perRequest = chargedComponents.map((component): [string, number | null] => {
    const total = cpuMs.get(component) ?? null;
    return [component, total === null || requests === 0 ? null : total / requests];
  });
  return {
    cpuMsPerRequest: Object.fromEntries(perRequest),
    generatorShare: shareOf('generator', cpuMs),
    peakResidentBytes: peakResidentBytes(cell, slices),
  };
}

/** User and kernel milliseconds over all slices; null as soon as one is missing, or without slices. */
function totalCpuMs(cell: Cell, component: ChargedComponent, slices: readonly MeasuredSlice[]): number | null {
  let total: number | null = slices.length === 0 ? null : 0;
  for (const { sample } of slices) {
    const read = sample?.components[sampleKey(cell, component)];
    const user = read?.cpuUserMs ?? null;
    const system = read?.cpuSystemMs ?? null;
    total = total === null || user === null || system === null ? null : total + user + system;
  }
  return total;
}

/** s: one component's part of all charged CPU time; null unless every component is known and some CPU was used. */
function shareOf(component: ChargedComponent, cpuMs: ReadonlyMap<ChargedComponent, number | null>): number | null {
  let all = 0;
  for (const value of cpuMs.values()) {
    if (value === null) return null;
    all += value;
  }
  return all === 0 ? null : (cpuMs.get(component) ?? 0) / all;
}

/** A maximum needs no complete set: it is the largest that was seen, at the slices' ends. */
function peakResidentBytes(cell: Cell, slices: readonly MeasuredSlice[]): number | null {
  const seen = slices.map(({ sample }) => sample?.components[sampleKey(cell, 'api')]?.residentBytes ?? null);
  return maximum(seen.filter((bytes) => bytes !== null));
}

/** The component's key in a sample: APIs are sampled by variant. */
function sampleKey(cell: Cell, component: ChargedComponent): string {
  return component === 'api' ? `api:${cell.variant}` : component;
}
