import type { Endpoint, Thresholds } from '../model/contract.ts';
import type { SliceRecord, WarmUpRecord } from '../model/measurement.ts';
import type { ParityResult, SummaryFigures } from '../model/result.ts';

/** All that a rule may look at to judge one cell. */
export interface Evidence {
  readonly figures: SummaryFigures;
  /** This cell's slices, failed ones included. */
  readonly records: readonly SliceRecord[];
  /** Of this variant and endpoint: one a generation, at the largest load. */
  readonly warmUps: readonly WarmUpRecord[];
  /** `Measurement.raw` of every raw file of the set that is missing or damaged. */
  readonly unreadableRaws: readonly string[];
  readonly endpoint: Endpoint;
  /** The other variants' cells with the same endpoint and load. */
  readonly peers: readonly SummaryFigures[];
  readonly thresholds: Thresholds;
  /** The gate's finding for the endpoint, with the length of the reference body; null where there was no gate. */
  readonly parity: ParityResult | null;
  /** Whether the generator ran on the servers' machine, and took CPU that they could have used. */
  readonly sameHost: boolean;
}

/** False where the parity gate kept the endpoint from being loaded: then only that is worth saying. */
export function wasLoaded({ parity }: Evidence): boolean {
  return parity?.passed !== false;
}
