import { resolve } from 'node:path';
import { readVersion, start } from './process/start.ts';
import { BrokenConfig, contractFolder, readConfig } from './config.ts';
import { BrokenContract, readContract } from './contract/read.ts';
import { createLog } from './events/log.ts';
import { describe } from './events/outage.ts';
import { exitCodes } from './process/exit-codes.ts';
import { stopOnSignals } from './process/signals.ts';

const stackFolder = resolve(import.meta.dirname, '..');
const log = createLog((line) => process.stderr.write(line));

try {
  const config = readConfig(process.env, readContract(contractFolder(process.env, stackFolder)));
  const running = await start(config, readVersion(stackFolder), log);
  stopOnSignals(running, config.shutdownTimeoutMs, log);
} catch (error) {
  process.exit(report(error));
}

/** Prints what kept the process from starting, and says how it ends. */
function report(error: unknown): number {
  if (error instanceof BrokenConfig || error instanceof BrokenContract) {
    process.stderr.write(`${error.problems.join('\n')}\n`);
    return exitCodes.misconfigured;
  }
  log.error('failed', { error: error instanceof Error ? describe(error) : String(error) });
  return exitCodes.failed;
}
