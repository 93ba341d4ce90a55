import type { Comparison, ResultSet, Summary } from '../model/result.ts';
import { loadId, type Load, type Variant } from '../model/study.ts';

/** A variant's part of a row. */
export interface RowCell {
  readonly variant: Variant;
  /** Undefined: nothing was measured. */
  readonly summary: Summary | undefined;
  /** Against the baseline; undefined for the baseline itself. */
  readonly comparison: Comparison | undefined;
}

/** What was measured of one endpoint under one load. */
export interface Row {
  readonly endpoint: string;
  readonly load: Load;
  /** In the study's order. */
  readonly cells: readonly RowCell[];
}

/** Every planned (endpoint, load), in the study's order, also where nothing was measured. */
export function rowsOf(set: ResultSet): Row[] {
  const { endpoints, loads, variants } = set.plan.study;
  return endpoints.flatMap((endpoint) =>
    loads.map((load) => ({
      endpoint,
      load,
      cells: variants.map((variant) => ({
        variant,
        summary: set.summaries.find((summary) => isOf(summary.cell, endpoint, load, variant.id)),
        comparison: set.comparisons.find((comparison) => isOf(comparison, endpoint, load, variant.id)),
      })),
    })),
  );
}

function isOf(
  place: { readonly endpoint: string; readonly load: Load; readonly variant: string },
  endpoint: string,
  load: Load,
  variant: string,
): boolean {
  return place.endpoint === endpoint && place.variant === variant && loadId(place.load) === loadId(load);
}
