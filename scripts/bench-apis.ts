/**
 * `npm run bench:apis`: what the contract costs each API. Its `/hello` and `/products` against a twin of fewer than 60 lines
 * with the same framework, driver, SQL, pool and headers, in interleaved rounds. Only the ratios mean something: the
 * absolute figures are this machine's, now. Exit code 1 when an API has less than 0.9 of its twin's rate.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withInterrupt } from '../lab/commands/interrupt.ts';
import { readContract, readStacks, readThresholds } from '../lab/contract/read.ts';
import { repositoryRoot } from '../lab/contract/root.ts';
import { startEnvironment } from '../lab/environment/index.ts';
import { BuiltinGenerator } from '../lab/load/builtin/generator.ts';
import { exitCodes, LabError, messageOf } from '../lab/model/errors.ts';
import { provenEqual } from './bench-apis/gate.ts';
import { judge } from './bench-apis/judge.ts';
import { measure, type PairedRun } from './bench-apis/measure.ts';
import { readOptions, usage, type Options } from './bench-apis/options.ts';
import { pairsOf, variantsOf } from './bench-apis/pairs.ts';
import { describe } from './bench-apis/table.ts';

const endpointIds = ['hello', 'products'];

async function main(options: Options, interrupted: AbortSignal): Promise<number> {
  const contractDir = join(repositoryRoot, 'contract');
  const contract = await readContract(contractDir);
  const thresholds = await readThresholds(contractDir);
  const pairs = pairsOf(await readStacks(repositoryRoot, contract), contract);
  const endpoints = contract.endpoints.filter(({ id }) => endpointIds.includes(id));
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-bench-'));
  const runs: PairedRun[] = [];
  let environment, generator;
  let isDone = false;
  try {
    const request = { contract, contractDir, variants: variantsOf(pairs), report, logDir: folder, signal: interrupted };
    environment = (await startEnvironment('native', request)).environment;
    const signal = AbortSignal.any([interrupted, environment.failed]);
    const targets = await provenEqual(endpoints, pairs, environment);
    generator = await BuiltinGenerator.open();
    const context = { environment, generator, rawDir: folder, signal, report };
    for await (const run of measure(context, { pairs, targets, ...options })) runs.push(run);
    isDone = true;
  } finally {
    await Promise.all([generator?.close(), environment?.stop()]);
    // After a failure the message names a log in it.
    if (isDone || interrupted.aborted) await rm(folder, { recursive: true, force: true });
    if (runs.length > 0) process.stdout.write(describe(judge(runs, thresholds), process.stdout.isTTY));
  }
  return judge(runs, thresholds).every(({ holds }) => holds) ? exitCodes.ok : exitCodes.notAllValid;
}

function report(line: string): void {
  process.stderr.write(`  ${line}\n`);
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(usage);
  else process.exitCode = await withInterrupt((signal) => main(options, signal));
} catch (error) {
  const [hint, tail] = error instanceof LabError ? [` (${error.hint})`, error.logTail] : ['', []];
  process.stderr.write([`bench:apis: ${messageOf(error)}${hint}`, ...tail, ''].join('\n'));
  process.exitCode = error instanceof LabError ? error.exitCode : exitCodes.internal;
}
