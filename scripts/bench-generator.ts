/**
 * `npm run bench:generator`: what the builtin generator can do, beside autocannon, k6 and wrk on the same null server, in
 * interleaved rounds. Only the ratios within a round mean something: the absolute figures are this machine's, now.
 */
import { availableParallelism } from 'node:os';
import { LabError, messageOf } from '../lab/model/errors.ts';
import { startNullServer, type NullServer } from '../lab/load/null-server/start.ts';
import { judge, type Outcome, type Round, type Rounds } from './bench-generator/claims.ts';
import type { Contestant, Run, Target } from './bench-generator/contestant.ts';
import { labGenerators } from './bench-generator/generators.ts';
import { readOptions, usage, type Options } from './bench-generator/options.ts';
import { startAutocannon, wrkIfThere } from './bench-generator/others.ts';
import { cpuMicros } from './bench-generator/process-cpu.ts';
import { runInTurns } from './bench-generator/turns.ts';
import { figures, verdicts } from './bench-generator/table.ts';
import { largeBody, largeEndpoint, smallBody, smallEndpoint } from './bench-generator/targets.ts';

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

async function main(options: Options): Promise<Outcome[]> {
  const server = await startNullServer({ [smallEndpoint.path]: smallBody, [largeEndpoint.path]: largeBody });
  const contestants: Contestant[] = [];
  try {
    const { builtin, k6 } = await labGenerators();
    contestants.push(builtin, startAutocannon());
    const wrk = await wrkIfThere();
    if (k6 !== null) contestants.push(k6);
    if (wrk !== null) contestants.push(wrk);
    const missing = [k6 === null ? 'k6' : [], wrk === null ? 'wrk' : []].flat();
    print(
      `${options.rounds} rounds of ${options.seconds} s, ${options.connections} connections, ${availableParallelism()} cores`,
    );
    if (missing.length > 0) print(`not on PATH: ${missing.join(', ')}`);
    const outcomes: Outcome[] = [];
    for (const [endpoint, text] of [
      [smallEndpoint, smallBody],
      [largeEndpoint, largeBody],
    ] as const) {
      const body = Buffer.from(text);
      const title = `A body of ${body.length.toLocaleString('en-US')} bytes`;
      const target: Target = { title, baseUrl: server.baseUrl, endpoint, body };
      const { rounds, serverBusy } = await measure(contestants, target, options, server);
      const judged = judge(rounds);
      print(
        `\n${figures(title, contestants, rounds)}\n\nbuiltin, as the ratio within a round: median (min–max)\n${verdicts(judged)}`,
      );
      if (serverBusy !== null) print(`  null server's part of a core under builtin: ${Math.round(serverBusy * 100)} %`);
      outcomes.push(...judged);
    }
    return outcomes;
  } finally {
    await Promise.all(contestants.map((contestant) => contestant.close()));
    await server.close();
  }
}

/**
 * All contestants, `rounds` times; every second round backwards, so that neighbours change sides. Those that live across runs
 * take short turns; k6 and wrk, which start anew and cannot run for less than a second, follow or go before.
 */
async function measure(
  all: readonly Contestant[],
  target: Target,
  options: Options,
  server: NullServer,
): Promise<{ rounds: Rounds; serverBusy: number | null }> {
  const { seconds, connections } = options;
  const busy: number[] = [];
  const contestants = all.map((contestant) =>
    contestant.name === 'builtin' ? watching(contestant, server, busy) : contestant,
  );
  const lasting = contestants.filter(({ livesOn }) => livesOn);
  for (const contestant of lasting) await warmUp(contestant, { target, seconds: options.warmUpSeconds, connections });
  busy.length = 0;
  const rounds = new Map<string, Round[]>(contestants.map(({ name }) => [name, []]));
  const run = { target, seconds, connections };
  const takeTurns = async (order: readonly Contestant[]): Promise<void> => {
    for (const [name, sample] of await runInTurns(order, run)) rounds.get(name)?.push(sample);
  };
  for (let round = 0; round < options.rounds; round += 1) {
    process.stderr.write(`${target.title}: round ${round + 1} of ${options.rounds}\n`);
    const isForward = round % 2 === 0;
    if (isForward) await takeTurns(lasting);
    for (const contestant of contestants.filter(({ livesOn }) => !livesOn)) {
      rounds.get(contestant.name)?.push(await contestant.run(run));
    }
    if (!isForward) await takeTurns(lasting.toReversed());
  }
  return { rounds, serverBusy: busy.length === 0 ? null : Math.max(...busy) };
}

/** The same contestant; each run adds the part of a core that the null server used meanwhile. */
function watching(contestant: Contestant, server: NullServer, busy: number[]): Contestant {
  return {
    ...contestant,
    run: async (run) => {
      const [startedAt, before] = [performance.now(), cpuMicros(server.pid)];
      const sample = await contestant.run(run);
      const after = cpuMicros(server.pid);
      if (before !== null && after !== null) busy.push((after - before) / 1000 / (performance.now() - startedAt));
      return sample;
    },
  };
}

/** Compiled code is warm after so many requests, however long a busy machine takes for them; given up after a few runs. */
async function warmUp(contestant: Contestant, run: Run): Promise<void> {
  const [enoughRequests, mostRuns] = [30_000, 6];
  let requests = 0;
  for (let runs = 0; runs < mostRuns && requests < enoughRequests; runs += 1) {
    requests += (await contestant.run(run)).requests;
  }
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    print(usage);
  } else {
    const outcomes = await main(options);
    process.exitCode = outcomes.some(({ holds }) => holds === false) ? 1 : 0;
  }
} catch (error) {
  const [hint, tail] = error instanceof LabError ? [` (${error.hint})`, error.logTail] : ['', []];
  process.stderr.write([`bench:generator: ${messageOf(error)}${hint}`, ...tail, ''].join('\n'));
  process.exitCode = error instanceof LabError ? error.exitCode : 70;
}
