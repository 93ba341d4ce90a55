import type { SliceRecord } from './measurement.ts';
import type { Cell } from './plan.ts';
import { loadId } from './study.ts';

/** Whether two rows are about the same endpoint under the same load. */
export function sameWork(a: Pick<Cell, 'endpoint' | 'load'>, b: Pick<Cell, 'endpoint' | 'load'>): boolean {
  return a.endpoint === b.endpoint && loadId(a.load) === loadId(b.load);
}

/** A cell's slices in the order of their rounds, whatever order they were saved in. */
export function recordsOfCell(cell: Cell, records: readonly SliceRecord[]): readonly SliceRecord[] {
  return records
    .filter(({ slice }) => slice.cell.variant === cell.variant && sameWork(slice.cell, cell))
    .sort((a, b) => a.slice.round - b.slice.round);
}
