import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { GeneratorPlace } from '../../model/environment.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import { FromWorker, lineOf, messageIn, ToWorker } from './messages.ts';

const entry = 'dist/lab/load/builtin/worker.js';
const readyLimitMs = 30_000;
const exitLimitMs = 2_000;
const keptStderrLines = 20;
const keptStderrCharacters = 16_384;
const hint = 'See the lines above and the log of this set; the raw results up to here are kept.';

/** The generator's process as the lab sees it: typed messages in and out, and one way to fail. */
export class WorkerProcess {
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly place: GeneratorPlace | null;
  private stderrText = '';
  private waiting: { resolve: (message: FromWorker) => void; reject: (reason: Error) => void } | null = null;
  private death: LabError | null = null;

  /**
   * Starts a process, here or where `place` is, and waits until it is ready. `root` is the clone's folder here.
   * @throws LabError BUILD_FAILED when the compiled worker is not there, GENERATOR_FAILED when it does not start.
   */
  static async start(root: string, place: GeneratorPlace | null = null): Promise<WorkerProcess> {
    const file = join(root, entry);
    if (place === null && !existsSync(file)) {
      throw new LabError('BUILD_FAILED', `${file} is not there`, 'Build the project first: npm run build');
    }
    const command: [string, ...string[]] =
      place === null ? [process.execPath, file] : place.commandLine(['node', `${place.root}/${entry}`], {});
    const worker = new WorkerProcess(command, place);
    try {
      await worker.answer(readyLimitMs);
    } catch (thrown) {
      await worker.kill();
      throw thrown;
    }
    return worker;
  }

  private constructor([program, ...args]: readonly [string, ...string[]], place: GeneratorPlace | null) {
    this.place = place;
    this.child = spawn(program, args, {
      // A session of its own: the kernel shares CPU between sessions first, and Ctrl-C is for the lab to handle.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderrText = (this.stderrText + text).slice(-keptStderrCharacters);
    });
    // A process that has died does not read; its exit says so.
    this.child.stdin.on('error', () => undefined);
    createInterface({ input: this.child.stdout }).on('line', (line) => {
      const waiting = this.waiting;
      this.waiting = null;
      try {
        waiting?.resolve(messageIn(FromWorker, line));
      } catch (error) {
        waiting?.reject(this.failure(`sent what is no message: ${messageOf(error)}`));
      }
    });
    this.child.on('error', (error) => {
      this.die(this.failure(error.message, error));
    });
    this.child.on('exit', (code, signal) => {
      const die = (): void => {
        this.die(this.failure(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`));
      };
      // Its last words may still be on their way.
      const { stderr } = this.child;
      if (stderr.closed) die();
      else stderr.once('close', die);
    });
  }

  /** Of the process on this machine that makes the load; null when it has ended, and where it runs in a place of its own. */
  get pid(): number | null {
    return this.alive && this.place === null ? (this.child.pid ?? null) : null;
  }

  get alive(): boolean {
    return this.death === null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends a message and waits for the next one. Rejects when the process dies first, or after the limit. */
  ask(message: ToWorker, limitMs: number): Promise<FromWorker> {
    const answer = this.answer(limitMs);
    this.tell(message);
    return answer;
  }

  /** Sends a message; whoever waits gets the answer. */
  tell(message: ToWorker): void {
    if (this.alive && this.child.stdin.writable) this.child.stdin.write(lineOf(ToWorker, message));
  }

  /** Closes its input, on which the process ends by itself; kills it when it does not. Safe to call twice. */
  async close(): Promise<void> {
    this.child.stdin.end();
    await this.ended();
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
    // What was killed is then only the way to it.
    await this.place?.endAll();
  }

  private async ended(): Promise<void> {
    if (this.child.pid === undefined || this.child.exitCode !== null || this.child.signalCode !== null) return;
    const timer = setTimeout(() => this.child.kill('SIGKILL'), exitLimitMs);
    await once(this.child, 'exit');
    clearTimeout(timer);
  }

  private answer(limitMs: number): Promise<FromWorker> {
    return new Promise((resolve, reject) => {
      if (this.death !== null) {
        reject(this.death);
        return;
      }
      const timer = setTimeout(() => {
        this.waiting = null;
        reject(this.failure(`gave no answer within ${limitMs} ms`));
      }, limitMs);
      this.waiting = {
        resolve: (message) => {
          clearTimeout(timer);
          resolve(message);
        },
        reject: (reason) => {
          clearTimeout(timer);
          reject(reason);
        },
      };
    });
  }

  private die(reason: LabError): void {
    this.death ??= reason;
    this.waiting?.reject(this.death);
    this.waiting = null;
  }

  private failure(what: string, cause?: unknown): LabError {
    const lines = this.stderrText.split('\n').filter((line) => line.trim() !== '');
    const logTail = lines.slice(-keptStderrLines);
    return new LabError('GENERATOR_FAILED', `the built-in generator's process ${what}`, hint, { logTail, cause });
  }
}
