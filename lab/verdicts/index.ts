/** Pure: no I/O, no clock, no randomness. Figures and their evidence in; thresholds and verdicts out. */
import { recordsOfCell, sameWork } from '../model/cells.ts';
import type { Endpoint, Thresholds } from '../model/contract.ts';
import type { SliceRecord, WarmUpRecord } from '../model/measurement.ts';
import type { ParityResult, Summary, SummaryFigures } from '../model/result.ts';
import type { Evidence } from './evidence.ts';
import { judge } from './judge.ts';
import { thresholdOutcomes } from './thresholds.ts';

export type { Evidence } from './evidence.ts';
export { examine, judge } from './judge.ts';
export { rules } from './rules/index.ts';
export { thresholdOutcomes } from './thresholds.ts';

/** What is known of the whole set. */
export interface SetEvidence {
  readonly records: readonly SliceRecord[];
  readonly warmUps: readonly WarmUpRecord[];
  /** `Measurement.raw` of every raw file that is missing or damaged. */
  readonly unreadableRaws: readonly string[];
  readonly endpoints: readonly Endpoint[];
  readonly thresholds: Thresholds;
  readonly parity: readonly ParityResult[];
  readonly sameHost: boolean;
}

/** Judges every cell of a set: adds its thresholds and verdicts. */
export function judgeCells(cells: readonly SummaryFigures[], set: SetEvidence): Summary[] {
  return cells.map((figures) => ({
    ...figures,
    thresholds: thresholdOutcomes(figures, set.thresholds),
    verdicts: judge(evidenceOf(figures, cells, set)),
  }));
}

/** @throws RangeError when a cell's endpoint is not among `endpoints`: a defect of the caller */
function evidenceOf(figures: SummaryFigures, cells: readonly SummaryFigures[], set: SetEvidence): Evidence {
  const { cell } = figures;
  const endpoint = set.endpoints.find(({ id }) => id === cell.endpoint);
  if (endpoint === undefined) throw new RangeError(`endpoint ${cell.endpoint} is not in the contract`);
  return {
    figures,
    records: recordsOfCell(cell, set.records),
    warmUps: set.warmUps.filter(
      ({ warmUp }) => warmUp.cell.variant === cell.variant && warmUp.cell.endpoint === cell.endpoint,
    ),
    unreadableRaws: set.unreadableRaws,
    endpoint,
    peers: cells.filter((other) => other.cell.variant !== cell.variant && sameWork(other.cell, cell)),
    thresholds: set.thresholds,
    parity: set.parity.find((result) => result.endpoint === cell.endpoint) ?? null,
    sameHost: set.sameHost,
  };
}
