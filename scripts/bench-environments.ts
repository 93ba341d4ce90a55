/**
 * `npm run bench:environments`: what containers and their network cost. The same APIs as processes of this machine and as containers
 * of a Compose project, both up at once, each loaded by a generator beside its servers, in short turns. Only the ratios mean
 * something: the absolute figures are this machine's, now.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withInterrupt } from '../lab/commands/interrupt.ts';
import { readContract, readStacks, readThresholds } from '../lab/contract/read.ts';
import { repositoryRoot } from '../lab/contract/root.ts';
import { startEnvironment } from '../lab/environment/index.ts';
import { BuiltinGenerator } from '../lab/load/builtin/generator.ts';
import type { Environment } from '../lab/model/environment.ts';
import { exitCodes, LabError, messageOf } from '../lab/model/errors.ts';
import { readStudy } from '../lab/plan/index.ts';
import { variantsWithStacks } from '../lab/run/inputs.ts';
import { measure, type Round, type Side } from './bench-environments/measure.ts';
import { readOptions, usage, type Options } from './bench-environments/options.ts';
import { rowsOf } from './bench-environments/rows.ts';
import { describe } from './bench-environments/table.ts';

const names = ['native', 'compose'] as const;

async function main(options: Options, interrupted: AbortSignal): Promise<void> {
  const contractDir = join(repositoryRoot, 'contract');
  const contract = await readContract(contractDir);
  const { variants } = await readStudy(repositoryRoot, 'go-vs-node');
  const served = variantsWithStacks(variants, await readStacks(repositoryRoot, contract));
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-bench-'));
  const environments: Environment[] = [];
  const sides: Side[] = [];
  const rounds: Round[] = [];
  let isDone = false;
  try {
    for (const name of names) {
      const { environment } = await startEnvironment(name, {
        contract,
        contractDir,
        variants: served,
        generator: 'builtin',
        report,
        logDir: join(folder, name),
        signal: interrupted,
      });
      environments.push(environment);
      sides.push({ environment, generator: await BuiltinGenerator.open(environment.generatorPlace) });
    }
    const [native, compose] = sides;
    if (native === undefined || compose === undefined) throw new Error('two environments were to be started');
    const signal = AbortSignal.any([interrupted, ...environments.map(({ failed }) => failed)]);
    const context = { native, compose, contract, rawDir: folder, signal, report };
    const ids = variants.map(({ id }) => id);
    for await (const round of measure(context, { variants: ids, ...options })) rounds.push(round);
    isDone = true;
  } finally {
    await Promise.all([
      ...sides.map(({ generator }) => generator.close()),
      ...environments.map((environment) => environment.stop()),
    ]);
    // After a failure the message names a log in it.
    if (isDone || interrupted.aborted) await rm(folder, { recursive: true, force: true });
    const { statistics } = await readThresholds(contractDir);
    if (rounds.length > 0) process.stdout.write(describe(rowsOf(rounds, statistics), process.stdout.isTTY));
  }
}

function report(line: string): void {
  process.stderr.write(`  ${line}\n`);
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(usage);
  else await withInterrupt((signal) => main(options, signal));
} catch (error) {
  const [hint, tail] = error instanceof LabError ? [` (${error.hint})`, error.logTail] : ['', []];
  process.stderr.write([`bench:environments: ${messageOf(error)}${hint}`, ...tail, ''].join('\n'));
  process.exitCode = error instanceof LabError ? error.exitCode : exitCodes.internal;
}
