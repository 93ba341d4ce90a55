import type { Thresholds } from '../../lab/model/contract.ts';
import { hodgesLehmannEstimate, walshInterval } from '../../lab/statistics/hodges-lehmann.ts';
import type { PairedRun, Side } from './measure.ts';

/** The least part of its twin's rate that an API must have. */
export const leastRatio = 0.9;

/** One API, endpoint and load over all rounds. */
export interface Row {
  readonly stack: string;
  readonly path: string;
  readonly vus: number;
  readonly rounds: number;
  readonly api: SideSummary;
  readonly twin: SideSummary;
  /** The API's rate over its twin's: the Hodges–Lehmann estimate on the rounds' log ratios. */
  readonly ratio: number;
  /** Its exact interval; null with too few rounds. */
  readonly interval: Range | null;
  /** The smallest and largest ratio within a round. */
  readonly spread: Range;
  readonly holds: boolean;
}

export interface Range {
  readonly low: number;
  readonly high: number;
}

export interface SideSummary {
  /** Mean over the rounds, which are equally long. */
  readonly requestsPerSecond: number;
  /** Of the server process; null where it could not be read in every round. */
  readonly cpuMicrosPerRequest: number | null;
}

/** One row a stack, endpoint and load, in the order of `runs`. */
export function judge(runs: readonly PairedRun[], thresholds: Thresholds): Row[] {
  const groups = new Map<string, [PairedRun, ...PairedRun[]]>();
  for (const run of runs) {
    const key = `${run.stack} ${run.path} ${run.vus}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [run]);
    else group.push(run);
  }
  return [...groups.values()].map((rounds) => rowOf(rounds, thresholds));
}

function rowOf(rounds: readonly [PairedRun, ...PairedRun[]], { statistics }: Thresholds): Row {
  const [{ stack, path, vus }] = rounds;
  const logRatios = rounds.map(({ api, twin }) => Math.log(api.requestsPerSecond / twin.requestsPerSecond));
  const ratio = Math.exp(hodgesLehmannEstimate(logRatios) ?? Number.NaN);
  const interval = rounds.length < statistics.minRoundsForInterval ? null : walshInterval(logRatios, statistics.alpha);
  return {
    stack,
    path,
    vus,
    rounds: rounds.length,
    api: summarise(rounds.map(({ api }) => api)),
    twin: summarise(rounds.map(({ twin }) => twin)),
    ratio,
    interval: interval === null ? null : { low: Math.exp(interval.low), high: Math.exp(interval.high) },
    spread: { low: Math.exp(Math.min(...logRatios)), high: Math.exp(Math.max(...logRatios)) },
    holds: ratio >= leastRatio,
  };
}

function summarise(sides: readonly Side[]): SideSummary {
  const sum = (of: (side: Side) => number): number => sides.reduce((total, side) => total + of(side), 0);
  const isKnown = sides.every(({ cpuMs }) => cpuMs !== null);
  return {
    requestsPerSecond: sum((side) => side.requestsPerSecond) / sides.length,
    cpuMicrosPerRequest: isKnown ? (sum(({ cpuMs }) => cpuMs ?? 0) * 1000) / sum(({ requests }) => requests) : null,
  };
}
