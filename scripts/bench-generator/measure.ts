import type { NullServer } from '../../lab/load/null-server/start.ts';
import { cpuMicrosPerRequest, joined, requestsPerSecond, type LoadSample } from '../load-sample.ts';
import type { Round, Rounds } from './claims.ts';
import type { Contestant, Run, Target } from './contestant.ts';
import type { Options } from './options.ts';
import { cpuMicros, spent } from './process-cpu.ts';
import { runInTurns } from './turns.ts';

/** Everybody who takes part. */
export interface Field {
  /** Their processes live across runs, so they are warmed up, and take short turns. */
  readonly inTurns: readonly [Contestant, Contestant];
  /** They start anew for each run, and cannot run for less than a second. */
  readonly others: readonly Contestant[];
}

export interface Measured {
  readonly rounds: Rounds;
  /** The part of a core that the null server used while the first contestant ran; null where it cannot be read. */
  readonly serverBusy: number | null;
}

/** All contestants, `rounds` times; every second round backwards, so that neighbours change sides. */
export async function measure(
  { inTurns, others }: Field,
  target: Target,
  { seconds, connections, warmUpSeconds, rounds: count }: Options,
  server: NullServer,
): Promise<Measured> {
  const [first, second] = inTurns;
  for (const contestant of inTurns) await warmUp(contestant, { target, seconds: warmUpSeconds, connections });
  const watched = watching(first, server);
  const rounds = new Map<string, Round[]>([...inTurns, ...others].map(({ name }) => [name, []]));
  const keep = ({ name }: Contestant, sample: LoadSample): void => {
    const round = { requestsPerSecond: requestsPerSecond(sample), cpuMicrosPerRequest: cpuMicrosPerRequest(sample) };
    rounds.get(name)?.push(round);
  };
  const run = { target, seconds, connections };
  for (let round = 0; round < count; round += 1) {
    process.stderr.write(`${target.title}: round ${round + 1} of ${count}\n`);
    const isForward = round % 2 === 0;
    const order = [watched.contestant, second] as const;
    const takeTurns = async (): Promise<void> => {
      const [one, other] = await runInTurns(isForward ? order : [order[1], order[0]], run);
      keep(first, isForward ? one : other);
      keep(second, isForward ? other : one);
    };
    if (isForward) await takeTurns();
    for (const contestant of isForward ? others : others.toReversed()) keep(contestant, await contestant.run(run));
    if (!isForward) await takeTurns();
  }
  return { rounds, serverBusy: watched.busy() };
}

/** The same contestant, watched: `busy` is the null server's CPU time over all its runs, over their time. */
function watching(contestant: Contestant, server: NullServer): { contestant: Contestant; busy: () => number | null } {
  const samples: LoadSample[] = [];
  const run = async (order: Run): Promise<LoadSample> => {
    const [startedAt, before] = [performance.now(), cpuMicros(server.pid)];
    const sample = await contestant.run(order);
    const serverMicros = spent(before, cpuMicros(server.pid));
    samples.push({ ...sample, windowMs: performance.now() - startedAt, cpuMicros: serverMicros });
    return sample;
  };
  const busy = (): number | null => {
    const { cpuMicros: micros, windowMs } = joined(samples);
    return micros === null || windowMs === 0 ? null : micros / 1000 / windowMs;
  };
  return { contestant: { ...contestant, run }, busy };
}

/** Compiled code is warm after so many requests, however long a busy machine takes for them; given up after a few runs. */
async function warmUp(contestant: Contestant, run: Run): Promise<void> {
  const [enoughRequests, mostRuns] = [30_000, 6];
  let requests = 0;
  for (let runs = 0; runs < mostRuns && requests < enoughRequests; runs += 1) {
    requests += (await contestant.run(run)).requests;
  }
}
