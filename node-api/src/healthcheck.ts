/** What a container's health check runs: asks the process that listens on PORT here whether it is ready. */
import { BrokenConfig, readPort } from './config.ts';
import { askHealth } from './process/ask-health.ts';
import { exitCodes } from './process/exit-codes.ts';

try {
  const { ready, line } = await askHealth(`http://127.0.0.1:${readPort(process.env)}`);
  process.stdout.write(`${line}\n`);
  process.exitCode = ready ? exitCodes.stopped : exitCodes.failed;
} catch (error) {
  if (!(error instanceof BrokenConfig)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = exitCodes.misconfigured;
}
