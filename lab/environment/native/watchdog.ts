import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';

/**
 * What ends the servers when the lab cannot: a shell that waits at the other end of a pipe. The kernel closes the pipe
 * however the lab ends, SIGKILL included; the shell then ends every process group that is still on its list, and removes
 * the folders on it. A shell because it costs one megabyte, starts at once and is on every machine that has a /bin/sh.
 *
 * Instructions, one a line: `watch PID SIGNAL`, `release PID`, `remove PATH`, `keep PATH`.
 */
const script = `
trap '' INT TERM HUP QUIT
servers=' '
while read -r verb first rest; do
  case $verb in
    watch) servers="$servers$first:$rest " ;;
    release)
      left=' '
      for server in $servers; do [ "\${server%%:*}" = "$first" ] || left="$left$server "; done
      servers=$left ;;
    remove) set -- "$@" "$first\${rest:+ $rest}" ;;
    keep)
      for folder in "$@"; do
        shift
        [ "$folder" = "$first\${rest:+ $rest}" ] || set -- "$@" "$folder"
      done ;;
  esac
done
for server in $servers; do kill -s "\${server#*:}" "\${server%%:*}"; done
tries=0
while [ "$tries" -lt 50 ]; do
  alive=
  for server in $servers; do kill -s 0 -- "-\${server%%:*}" && alive=1; done
  [ -n "$alive" ] || break
  sleep 0.1
  tries=$((tries + 1))
done
for server in $servers; do kill -s KILL -- "-\${server%%:*}"; done
[ "$#" -eq 0 ] || rm -rf -- "$@"
`;

export type PoliteSignal = 'TERM' | 'INT';

export class Watchdog {
  readonly #shell: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(shell: ChildProcess, report: (line: string) => void) {
    this.#shell = shell;
    this.#ended = once(shell, 'exit');
    // Without the shell the lab still stops its servers itself; only its own violent death would leave them behind.
    shell.stdin?.on('error', (error) => {
      report(`the watchdog is gone (${error.message}): if loadlab is killed now, its servers stay`);
    });
    // Neither may keep the lab alive: the watchdog outlives it by design.
    shell.unref();
    if (shell.stdin instanceof Socket) shell.stdin.unref();
  }

  /** Starts the shell, in a session of its own: Ctrl-C or a closed terminal must not end it before the lab. */
  static async start(report: (line: string) => void): Promise<Watchdog> {
    const shell = spawn('/bin/sh', ['-c', script, 'loadlab-watchdog'], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(shell, 'spawn');
    return new Watchdog(shell, report);
  }

  get pid(): number | undefined {
    return this.#shell.pid;
  }

  /** From now on the process group `pid` ends with the lab: first `signal` to its leader, after 5 s SIGKILL to all. */
  watch(pid: number, signal: PoliteSignal): void {
    this.#tell(`watch ${pid} ${signal}`);
  }

  /** The group has ended: its number may be given to somebody else's. */
  release(pid: number): void {
    this.#tell(`release ${pid}`);
  }

  /** From now on `folder` is removed when the lab is gone, after the servers. */
  remove(folder: string): void {
    this.#tell(`remove ${folder}`);
  }

  keep(folder: string): void {
    this.#tell(`keep ${folder}`);
  }

  /** Environment.endWithLab for a process group of this machine. */
  endWithLab(pid: number, folder: string): () => void {
    this.watch(pid, 'TERM');
    this.remove(folder);
    return () => {
      this.release(pid);
      this.keep(folder);
    };
  }

  /** Ends the shell; what is still on its list is ended with it. */
  async stop(): Promise<void> {
    this.#shell.ref();
    this.#shell.stdin?.end();
    if (this.#shell.exitCode === null && this.#shell.signalCode === null) await this.#ended;
  }

  #tell(line: string): void {
    if (line.includes('\n')) throw new Error(`a path with a line break: ${JSON.stringify(line)}`);
    this.#shell.stdin?.write(`${line}\n`);
  }
}
