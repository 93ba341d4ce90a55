import { recordsOfCell } from '../model/cells.ts';
import type { Contract, Thresholds } from '../model/contract.ts';
import type { SliceRecord, WarmUpRecord } from '../model/measurement.ts';
import type { Cell } from '../model/plan.ts';
import type { ResultHeader, ResultSet } from '../model/result.ts';
import { compareThroughput, headline, loadMovements, summarise } from '../statistics/index.ts';
import { judgeCells } from '../verdicts/index.ts';
import { mergeRaws, type Merge, type ReadRaws } from './merged-percentiles.ts';

/** Everything that was measured, and how it ended. */
export interface Measured {
  readonly header: ResultHeader;
  readonly contract: Contract;
  readonly thresholds: Thresholds;
  readonly slices: readonly SliceRecord[];
  readonly warmUps: readonly WarmUpRecord[];
  /** null: the study ran to its end. */
  readonly endedEarly: string | null;
  readonly finishedAt: Date;
  /** Reads raw files of the built-in generator, for merging their histograms. */
  readonly readRaws: ReadRaws;
}

/** measurements → summaries → verdicts → comparisons → result set. */
export async function analyse(measured: Measured): Promise<ResultSet> {
  const { header, slices, thresholds } = measured;
  const { plan, parity } = header;
  const figures = [];
  const unreadableRaws: string[] = [];
  for (const cell of plan.cells) {
    const merge = await mergedPercentiles(cell, measured);
    unreadableRaws.push(...(merge?.unreadable ?? []));
    figures.push(summarise(cell, slices, plan.rounds, merge?.merged ?? null));
  }
  const summaries = judgeCells(figures, {
    records: slices,
    warmUps: measured.warmUps,
    unreadableRaws,
    endpoints: measured.contract.endpoints,
    thresholds,
    parity,
    // Older sets do not say; there was no other way.
    sameHost: header.provenance.environment.sameHost ?? true,
  });
  const comparisons = compareThroughput(summaries, plan.study.baseline, thresholds);
  const plannedRuns = plan.generations.reduce((total, generation) => total + generation.slices.length, 0);
  return {
    ...header,
    status: measured.endedEarly === null ? 'complete' : 'partial',
    statusReason: measured.endedEarly,
    finishedAt: measured.finishedAt.toISOString(),
    headline: headline(summaries, comparisons, slices, plannedRuns),
    summaries,
    comparisons,
    loadMovements: loadMovements(comparisons),
    slices: [...slices],
    warmUps: [...measured.warmUps],
  };
}

/** Percentiles over a cell's rounds from the merged histograms; null where the generator keeps none. */
async function mergedPercentiles(cell: Cell, measured: Measured): Promise<Merge | null> {
  if (measured.header.provenance.generator.name !== 'builtin') return null;
  const raws = recordsOfCell(cell, measured.slices).flatMap(({ measurement }) =>
    measurement === null ? [] : [measurement.raw],
  );
  return raws.length === 0 ? null : mergeRaws(raws, measured.readRaws);
}
