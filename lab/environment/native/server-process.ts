import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { LabError, messageOf } from '../../model/errors.ts';
import { readLogTail } from '../log-tail.ts';
import type { ServerUser } from './server-user.ts';
import type { PoliteSignal, Watchdog } from './watchdog.ts';

export interface ServerCommand {
  /** How messages name it: `PostgreSQL`, `the API of variant go`. */
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment: nothing of the lab's own is added. */
  readonly environment: Readonly<Record<string, string>>;
  /** stdout and stderr are appended here. */
  readonly logFile: string;
  /** null: the lab's own user. */
  readonly user: ServerUser | null;
  /** What asks it to end: SIGINT is PostgreSQL's fast shutdown. */
  readonly politeSignal: PoliteSignal;
}

/** How a process ended: one of the two is set. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A process that does not go even after SIGKILL hangs in the kernel: say so after this time. */
const killLimitMs = 5_000;

/**
 * A process in a session of its own, whose output goes to a log file without passing through the lab, and which ends
 * with the lab whatever happens (see watchdog.ts).
 */
export class ServerProcess {
  readonly name: string;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  readonly #command: ServerCommand;
  readonly #watchdog: Watchdog;
  readonly #logOffset: number;
  #stopping: Promise<void> | null = null;

  private constructor(child: ChildProcess, pid: number, command: ServerCommand, watchdog: Watchdog, logOffset: number) {
    this.name = command.name;
    this.pid = pid;
    this.#child = child;
    this.#command = command;
    this.#watchdog = watchdog;
    this.#logOffset = logOffset;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve({ code, signal });
      });
    });
  }

  /** Starts the command. Throws a LabError START_FAILED when it cannot even be executed. */
  static async start(command: ServerCommand, watchdog: Watchdog): Promise<ServerProcess> {
    const [file, ...args] = command.command;
    const log = openSync(command.logFile, 'a');
    try {
      const logOffset = fstatSync(log).size;
      const child = spawn(file, args, {
        cwd: command.cwd,
        env: { ...command.environment },
        stdio: ['ignore', log, log],
        // setsid(): the kernel shares CPU between sessions first, so every component gets one. It also keeps Ctrl-C away.
        detached: true,
        ...(command.user ? { uid: command.user.uid, gid: command.user.gid } : {}),
      });
      // Before anything is awaited, so that not even a SIGKILL in between leaves it behind.
      if (child.pid !== undefined) watchdog.watch(child.pid, command.politeSignal);
      await once(child, 'spawn');
      if (child.pid === undefined) throw new Error('it has no process id');
      return new ServerProcess(child, child.pid, command, watchdog, logOffset);
    } catch (error) {
      const hint = 'Is the file there, and may this user execute it?';
      throw new LabError('START_FAILED', `${command.name}: cannot execute ${file}: ${messageOf(error)}`, hint, {
        cause: error,
      });
    } finally {
      closeSync(log);
    }
  }

  get running(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  get logFile(): string {
    return this.#command.logFile;
  }

  /** The last lines that this life of the process wrote. */
  async logTail(): Promise<string[]> {
    return readLogTail(this.#command.logFile, this.#logOffset);
  }

  /** Calls `onDeath` with a LabError SERVER_DIED, with the last log lines, when the process ends without stop(). */
  reportDeath(onDeath: (error: LabError) => void): void {
    void this.exited.then(async (exit) => {
      if (this.#stopping) return;
      const logTail = await this.logTail();
      onDeath(
        new LabError(
          'SERVER_DIED',
          `${this.name} (pid ${this.pid}) ended by itself: ${describeExit(exit)}`,
          `Its last lines are below; the whole log is ${this.logFile}.`,
          { logTail },
        ),
      );
    });
  }

  /** Asks it to end, kills its whole group after `limitMs`, and waits for the end. Safe to call twice. */
  async stop(limitMs: number): Promise<void> {
    this.#stopping ??= this.#stop(limitMs);
    await this.#stopping;
  }

  async #stop(limitMs: number): Promise<void> {
    if (this.running) {
      this.#child.kill(`SIG${this.#command.politeSignal}`);
      if (!(await this.#endsWithin(limitMs))) {
        killGroup(this.pid);
        if (!(await this.#endsWithin(killLimitMs))) {
          throw new LabError(
            'ENVIRONMENT_FAILED',
            `${this.name} (pid ${this.pid}) does not end, not even after SIGKILL`,
            'It hangs in the kernel; look at its state in /proc.',
          );
        }
      }
    }
    // What it started itself and left behind is in its group.
    killGroup(this.pid);
    this.#watchdog.release(this.pid);
  }

  async #endsWithin(limitMs: number): Promise<boolean> {
    const timer = new AbortController();
    const tooLate = delay(limitMs, false, { signal: timer.signal }).catch(() => false);
    const ended = await Promise.race([this.exited.then(() => true), tooLate]);
    timer.abort();
    return ended;
  }
}

export function describeExit(exit: Exit): string {
  return exit.signal === null ? `exit code ${exit.code ?? 'unknown'}` : `signal ${exit.signal}`;
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    // ESRCH: the group is empty, as it should be. EPERM: macOS says so of a group of zombies.
    if (!isErrno(error, 'ESRCH') && !isErrno(error, 'EPERM')) throw error;
  }
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
