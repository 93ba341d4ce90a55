/**
 * What the image runs: the CLI, as the user who owns the results. A container's root would leave files on the host that
 * the user cannot remove, and `user:` in a compose file alone would lose the group of the Docker socket.
 */
import { statSync, type Stats } from 'node:fs';

const resultsFolder = 'results';
const dockerSocket = '/var/run/docker.sock';

/** Changes groups, group and user of this process to those of the results' owner; a root that owns them stays root. */
function becomeOwner(): void {
  const { getuid, setgroups, setgid, setuid } = process;
  if (getuid?.() !== 0 || !setgroups || !setgid || !setuid) return;
  const owner = statOf(resultsFolder);
  if (owner === null || owner.uid === 0) return;
  const socket = statOf(dockerSocket);
  // In this order: without root's rights the others can no longer be changed.
  setgroups(socket === null ? [owner.gid] : [owner.gid, socket.gid]);
  setgid(owner.gid);
  setuid(owner.uid);
}

/** null: it is not there, as the socket where nobody mounted it. */
function statOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}

becomeOwner();
await import('./cli.ts');
