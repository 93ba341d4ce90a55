import type { Log } from '../events/log.ts';
import { exitCodes } from './exit-codes.ts';
import type { Running } from './start.ts';

/**
 * Ends the process on SIGTERM or SIGINT: with 0 once everything in flight is answered, with 1 after `timeoutMs`, or at
 * once on a second signal.
 */
export function stopOnSignals(running: Running, timeoutMs: number, log: Log): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(exitCodes.failed);
    isStopping = true;
    log.info('stopping', { signal });
    void stop(running, timeoutMs, log).then((code) => process.exit(code));
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}

async function stop(running: Running, timeoutMs: number, log: Log): Promise<number> {
  const late = timeout(timeoutMs);
  if ((await Promise.race([running.drain(), late])) === 'late') {
    log.warn('cut', { afterMs: timeoutMs });
    return exitCodes.failed;
  }
  // Every client has its answer. A query whose client has gone may still run: it is not worth a failure.
  await Promise.race([running.release(), late]);
  log.info('stopped');
  return exitCodes.stopped;
}

function timeout(ms: number): Promise<'late'> {
  return new Promise((resolve) => setTimeout(resolve, ms, 'late'));
}
