/**
 * `npm run bench:generator`: what the builtin generator can do, beside autocannon, k6 and wrk on the same null server, in
 * interleaved rounds. Only the ratios within a round mean something: the absolute figures are this machine's, now.
 */
import { availableParallelism } from 'node:os';
import { LabError, messageOf } from '../lab/model/errors.ts';
import { startNullServer } from '../lab/load/null-server/start.ts';
import { judge, type Outcome } from './bench-generator/claims.ts';
import type { Target } from './bench-generator/contestant.ts';
import { labGenerators } from './bench-generator/generators.ts';
import { measure } from './bench-generator/measure.ts';
import { readOptions, usage, type Options } from './bench-generator/options.ts';
import { startAutocannon, wrkIfThere } from './bench-generator/others.ts';
import { figures, verdicts } from './bench-generator/table.ts';
import { largeBody, largeEndpoint, smallBody, smallEndpoint } from './bench-generator/targets.ts';

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

async function main(options: Options): Promise<Outcome[]> {
  const server = await startNullServer({ [smallEndpoint.path]: smallBody, [largeEndpoint.path]: largeBody });
  const { builtin, k6 } = await labGenerators();
  const inTurns = [builtin, startAutocannon()] as const;
  const wrk = await wrkIfThere();
  const others = [k6, wrk].filter((contestant) => contestant !== null);
  try {
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
      const { rounds, serverBusy } = await measure({ inTurns, others }, target, options, server);
      const judged = judge(rounds);
      print(
        `\n${figures(title, [...inTurns, ...others], rounds)}\n\nbuiltin, as the ratio within a round: median (min–max)\n${verdicts(judged)}`,
      );
      if (serverBusy !== null) print(`  null server's part of a core under builtin: ${Math.round(serverBusy * 100)} %`);
      outcomes.push(...judged);
    }
    return outcomes;
  } finally {
    await Promise.all([...inTurns, ...others].map((contestant) => contestant.close()));
    await server.close();
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
