import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';

/**
 * What removes the containers when the lab cannot: a shell that waits at the other end of a pipe, which the kernel closes
 * however the lab ends, SIGKILL included. The project is found by its labels, so that no file is needed any more.
 */
const script = `
trap '' INT TERM HUP QUIT
verdict=
read -r verdict
[ "$verdict" = done ] && exit 0
project=$1
folder=$2
shift 2
# A build or a start that was under way goes on without the lab: end it, remove, and look again.
for look in 1 2 3; do
  pkill -TERM -f -- "compose --project-name $project "
  sleep 1
  docker compose --project-name "$project" down --volumes --remove-orphans --timeout 1
  [ "$#" -eq 0 ] || docker image rm --force "$@"
  sleep 1
  [ -z "$(docker ps --all --quiet --filter "label=com.docker.compose.project=$project")" ] && break
done
rm -rf -- "$folder"
`;

/** A guard that stands. */
export interface Guard {
  /** All is removed: the shell ends and does nothing. */
  dismiss(): Promise<void>;
}

/** Starts the shell, in a session of its own. `folder` is the project's own on this machine; `images` were made for it. */
export async function startGuard(
  project: string,
  folder: string,
  images: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Guard> {
  const shell: ChildProcess = spawn('/bin/sh', ['-c', script, 'loadlab-guard', project, folder, ...images], {
    cwd: '/',
    detached: true,
    env: environment,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(shell, 'exit');
  await once(shell, 'spawn');
  // A shell that is gone cannot be told; the lab removes its containers itself.
  shell.stdin?.on('error', () => undefined);
  // It must not keep the lab alive: it outlives it by design.
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  return {
    dismiss: async () => {
      shell.ref();
      shell.stdin?.end('done\n');
      if (shell.exitCode === null && shell.signalCode === null) await ended;
    },
  };
}
