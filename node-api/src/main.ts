import { resolve } from 'node:path';
import { BrokenContract } from './contract/read.ts';
import { createLog } from './events/log.ts';
import { describe } from './events/outage.ts';
import { configure, Misconfigured } from './process/configure.ts';
import { exitCodes } from './process/exit-codes.ts';
import { stopOnSignals } from './process/signals.ts';
import { start } from './process/start.ts';

const stackFolder = resolve(import.meta.dirname, '..');
const log = createLog((line) => process.stderr.write(line));

try {
  const configured = configure(process.env, stackFolder);
  await start(configured, log, (running) => {
    stopOnSignals(running, configured.config.shutdownTimeoutMs, log);
  });
} catch (error) {
  process.exit(report(error));
}

/** Prints what kept the process from starting, and says how it ends. */
function report(error: unknown): number {
  if (error instanceof Misconfigured || error instanceof BrokenContract) {
    process.stderr.write(`${error.problems.join('\n')}\n`);
    return exitCodes.misconfigured;
  }
  log.error('listen-failed', { error: error instanceof Error ? describe(error) : String(error) });
  return exitCodes.failed;
}
