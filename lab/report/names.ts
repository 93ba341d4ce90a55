import type { Cell } from '../model/plan.ts';
import type { ResultSet } from '../model/result.ts';
import type { Load } from '../model/study.ts';

/** `20 VUs`. */
export function loadName(load: Load): string {
  return `${load.vus} VUs`;
}

/** A variant's title; its id where the study does not know it. */
export function variantName(set: ResultSet, id: string): string {
  return set.plan.study.variants.find((variant) => variant.id === id)?.title ?? id;
}

/** `products, 100 VUs`. */
export function rowName({ endpoint, load }: Pick<Cell, 'endpoint' | 'load'>): string {
  return `${endpoint}, ${loadName(load)}`;
}

/** `products, 100 VUs, Node`. */
export function cellName(set: ResultSet, cell: Cell): string {
  return `${rowName(cell)}, ${variantName(set, cell.variant)}`;
}

/** `Go/Node`. */
export function ratioName(set: ResultSet, variant: string, baseline: string): string {
  return `${variantName(set, variant)}/${variantName(set, baseline)}`;
}
