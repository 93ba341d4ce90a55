import type { Thresholds } from '../../lab/model/contract.ts';
import { hodgesLehmannEstimate, walshInterval } from '../../lab/statistics/hodges-lehmann.ts';
import { cpuMicrosPerRequest, joined, requestsPerSecond, type LoadSample } from '../load-sample.ts';
import type { Round } from './measure.ts';

/** One variant, endpoint and load over all rounds. */
export interface Row {
  readonly variant: string;
  readonly path: string;
  readonly vus: number;
  readonly native: Figures;
  readonly compose: Figures;
  /** The rate in containers over that of processes: the Hodges–Lehmann estimate on the rounds' log ratios. */
  readonly ratio: number;
  /** Its exact interval; null with too few rounds. */
  readonly interval: { readonly low: number; readonly high: number } | null;
}

interface Figures {
  readonly requestsPerSecond: number;
  /** Of the API alone; null where it could not be read in every round. */
  readonly cpuMicrosPerRequest: number | null;
}

/** One row a variant, endpoint and load, in the order of `rounds`. */
export function rowsOf(rounds: readonly Round[], statistics: Thresholds['statistics']): Row[] {
  const groups = new Map<string, [Round, ...Round[]]>();
  for (const round of rounds) {
    const key = `${round.path} ${round.vus} ${round.variant}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [round]);
    else group.push(round);
  }
  return [...groups.values()].map((group) => rowOf(group, statistics));
}

function rowOf(rounds: readonly [Round, ...Round[]], { alpha, minRoundsForInterval }: Thresholds['statistics']): Row {
  const [{ variant, path, vus }] = rounds;
  const logRatios = rounds.map(({ native, compose }) =>
    Math.log(requestsPerSecond(compose) / requestsPerSecond(native)),
  );
  const interval = rounds.length < minRoundsForInterval ? null : walshInterval(logRatios, alpha);
  return {
    variant,
    path,
    vus,
    native: figuresOf(rounds.map(({ native }) => native)),
    compose: figuresOf(rounds.map(({ compose }) => compose)),
    ratio: Math.exp(hodgesLehmannEstimate(logRatios) ?? Number.NaN),
    interval: interval === null ? null : { low: Math.exp(interval.low), high: Math.exp(interval.high) },
  };
}

function figuresOf(samples: readonly LoadSample[]): Figures {
  const all = joined(samples);
  return { requestsPerSecond: requestsPerSecond(all), cpuMicrosPerRequest: cpuMicrosPerRequest(all) };
}
