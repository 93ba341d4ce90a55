import { execFileSync, spawnSync } from 'node:child_process';

/** Whether this machine has what withFileSizeLimit needs. */
export const canLimitFileSize = spawnSync('prlimit', ['--version']).status === 0;

/** For tests: a limit on the size of files stands in for a disk that fills up: write() takes a part, then refuses. */
export async function withFileSizeLimit(bytes: number, work: () => Promise<void>): Promise<void> {
  // The default action of the signal that comes with the refusal is to end the process.
  const ignore = (): void => undefined;
  process.on('SIGXFSZ', ignore);
  const limit = (soft: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${soft}:`]);
  limit(String(bytes));
  try {
    await work();
  } finally {
    limit('unlimited');
    process.off('SIGXFSZ', ignore);
  }
}
