/** Arguments and exit codes: the edge of the lab. Every error is caught here, once. */
import { Command, CommanderError } from 'commander';
import { benchCommand } from './commands/bench.ts';
import { compareCommand } from './commands/compare.ts';
import { reviewCommand } from './commands/review.ts';
import { upCommand } from './commands/up.ts';
import { exitCodes, LabError, messageOf } from './model/errors.ts';

const program = new Command('loadlab')
  .description(
    'Measures identical Node.js and Go APIs, proves that both do the same work, and says how sure the answer is.',
  )
  .addCommand(benchCommand())
  .addCommand(reviewCommand())
  .addCommand(compareCommand())
  .addCommand(upCommand())
  .showHelpAfterError('(loadlab --help, or loadlab COMMAND --help, lists what there is)')
  .addHelpText('after', `\nExit codes:\n${describeExitCodes()}`);

// Subcommands do not inherit this by themselves, and without it commander ends the process on its own terms.
for (const command of [program, ...program.commands]) command.exitOverride();

// A reader that went away (`loadlab … | head`, a closed terminal) must not end a study before it is saved.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
// An error that nothing awaited is a defect: say so, with its own exit code. The watchdog stops what is running.
process.on('uncaughtException', (error) => process.exit(report(error)));

try {
  await program.parseAsync(process.argv);
} catch (error) {
  process.exitCode = report(error);
}

/** Prints an error in one line (with the log lines that explain it) and returns the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.badInput;
  if (error instanceof LabError) {
    for (const line of error.logTail) process.stderr.write(`  | ${line}\n`);
    process.stderr.write(`loadlab: ${error.message}\n  → ${error.hint}\n`);
    return error.exitCode;
  }
  process.stderr.write(`loadlab: a defect in loadlab itself: ${messageOf(error)}\n`);
  if (error instanceof Error && error.stack !== undefined) process.stderr.write(`${error.stack}\n`);
  return exitCodes.internal;
}

function describeExitCodes(): string {
  const meanings: Record<keyof typeof exitCodes, string> = {
    ok: 'all well',
    notAllValid: 'a threshold was crossed or a cell is invalid',
    badInput: 'bad input',
    missing: 'something is missing on this machine',
    environment: 'a server failed',
    generator: 'the load generator failed',
    internal: 'a defect',
    interrupted: 'interrupted',
  };
  return Object.entries(exitCodes)
    .map(([name, code]) => `  ${String(code).padStart(3)}  ${meanings[name as keyof typeof exitCodes]}`)
    .join('\n');
}
