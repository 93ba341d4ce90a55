import { Command, Option } from 'commander';
import { exitCodes } from '../model/errors.ts';
import { CheckMode, EnvironmentName, GeneratorName } from '../model/plan.ts';
import type { ResultSet } from '../model/result.ts';
import { withoutPasswords } from '../model/without-passwords.ts';
import type { BenchOptions } from '../run.ts';
import { defaultStudy, duration, list, wholeNumber, wholeNumbers } from './arguments.ts';
import { describePlan } from './describe-plan.ts';
import { withInterrupt } from './interrupt.ts';
import { openProgress } from './progress.ts';
import { addRemoteOptions, remoteOptions, type RemoteArguments } from './remote-options.ts';

/** What commander makes of the options below. */
type Arguments = Omit<BenchOptions, 'durationMs' | 'preset' | 'commandLine' | 'remote'> &
  RemoteArguments & {
    readonly duration?: number;
    readonly quick?: boolean;
    readonly published?: boolean;
    readonly dryRun?: boolean;
  };

/** `loadlab bench`: executes a study. */
export function benchCommand(): Command {
  const command = new Command('bench')
    .description('Measure: start servers, prove parity, load every cell, judge, save, report.')
    .option('--study <id>', 'which study of studies/', defaultStudy)
    .addOption(
      new Option('--env <name>', 'where the servers run')
        .choices(['auto', ...EnvironmentName.options])
        .default('auto')
        .env('LOADLAB_ENV'),
    )
    .addOption(
      new Option('--generator <name>', 'what makes the load (default: auto)').choices([
        'auto',
        ...GeneratorName.options,
      ]),
    )
    .addOption(
      new Option('--check <mode>', 'how bodies are checked under load (default: bytes)').choices(CheckMode.options),
    )
    .option('--endpoints <ids>', 'only these endpoints, separated by commas', list)
    .option('--vus <numbers>', 'these loads instead of the study’s, e.g. 20,100', wholeNumbers(1, 10_000))
    .option('--duration <time>', 'measured time of a cell, all rounds together, e.g. 10s', duration)
    .option('--rounds <n>', 'rounds, two a generation; 6 or more give an interval', wholeNumber(1, 50))
    .option('--seed <n>', 'seed of the order (default: drawn, and recorded)', wholeNumber(0, 2 ** 31 - 1))
    .option('--keep', 'leave the containers running for a look afterwards (compose)')
    .option('--out <folder>', 'where the result set’s folder is made (default: results/)')
    .addOption(new Option('--quick', 'a first look: 2 s a cell, one generation').conflicts('published'))
    .option('--published', 'the published protocol: k6, --check json, one run of 30 s a cell')
    .option('--dry-run', 'print the plan and stop')
    .action((options: Arguments, self: Command) => run(options, self));
  return addRemoteOptions(command);
}

async function run(
  { duration: durationMs, quick, published, dryRun, baseUrl, databaseUrl, redisUrl, sameHost, ...options }: Arguments,
  self: Command,
): Promise<void> {
  const remote = remoteOptions(self, options.env, { baseUrl, databaseUrl, redisUrl, sameHost });
  // Loaded when needed: --help and bad arguments answer without the database client and all else that a study takes.
  const { bench, readInputs, showReport } = await import('../run.ts');
  const preset = quick === true ? 'quick' : published === true ? 'published' : undefined;
  const benchOptions: BenchOptions = {
    ...options,
    remote,
    durationMs,
    preset,
    commandLine: ['loadlab', ...process.argv.slice(2)].map(withoutPasswords),
  };
  if (dryRun === true) {
    process.stdout.write(describePlan((await readInputs(benchOptions)).plan));
    return;
  }
  await withInterrupt(async (signal) => {
    const inputs = await readInputs(benchOptions);
    const progress = openProgress(inputs.plan, process.stderr, signal);
    const { resultSet, folder, error } = await bench(inputs, benchOptions, progress.listen, signal).finally(() => {
      progress.close();
    });
    showReport(folder, resultSet);
    if (error !== null) throw error;
    process.exitCode = allValid(resultSet) ? exitCodes.ok : exitCodes.notAllValid;
  });
}

/** No threshold crossed, no cell invalid: a comparison is never better than its cells. */
function allValid({ summaries }: ResultSet): boolean {
  return summaries.every(
    ({ thresholds, verdicts }) =>
      thresholds.every(({ passed }) => passed !== false) &&
      verdicts.throughput.state !== 'invalid' &&
      verdicts.latency.state !== 'invalid',
  );
}
