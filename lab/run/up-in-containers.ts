import { join } from 'node:path';
import { execa } from 'execa';
import { repositoryRoot } from '../contract/root.ts';
import { LabError } from '../model/errors.ts';

/**
 * Starts the user's own Compose project, which stays, and prints where everything is. Rejects with a LabError START_FAILED when
 * not all of it becomes healthy, or with the signal's reason.
 */
export async function upInContainers(signal: AbortSignal): Promise<void> {
  const { exitCode } = await execa(join(repositoryRoot, 'scripts', 'compose-up.sh'), {
    stdio: 'inherit',
    reject: false,
    cancelSignal: signal,
  });
  signal.throwIfAborted();
  if (exitCode === 0) return;
  throw new LabError(
    'START_FAILED',
    'docker compose up failed, as said above',
    'docs/compose.md says what may be in the way: a port in use, a volume of an older seed.',
  );
}
