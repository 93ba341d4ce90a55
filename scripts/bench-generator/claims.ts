import { pairedRatios, spreadOf, type Spread } from './ratio.ts';

export interface Round {
  readonly requestsPerSecond: number;
  readonly cpuMicrosPerRequest: number | null;
}

/** Figures of one target by contestant, one entry a round. */
export type Rounds = ReadonlyMap<string, readonly Round[]>;

export interface Outcome {
  readonly text: string;
  readonly ratio: Spread | null;
  /** null: could not be judged here. */
  readonly holds: boolean | null;
}

interface Claim {
  readonly text: string;
  readonly over: string;
  readonly figure: (round: Round) => number | null;
  readonly holds: (median: number) => boolean;
}

/** What the builtin generator promises on a null server, by the median of the rounds' ratios. */
const claims: readonly Claim[] = [
  {
    text: "requests per second at least autocannon's",
    over: 'autocannon',
    figure: (round) => round.requestsPerSecond,
    holds: (median) => median >= 1,
  },
  {
    text: "CPU per request at most a third of k6's",
    over: 'k6',
    figure: (round) => round.cpuMicrosPerRequest,
    holds: (median) => median <= 1 / 3,
  },
];

export function judge(rounds: Rounds): Outcome[] {
  return claims.map(({ text, over, figure, holds }) => {
    const builtin = (rounds.get('builtin') ?? []).map(figure);
    const ratio = spreadOf(pairedRatios(builtin, (rounds.get(over) ?? []).map(figure)));
    return { text, ratio, holds: ratio === null ? null : holds(ratio.median) };
  });
}
