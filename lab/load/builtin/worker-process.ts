import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LabError } from '../../model/errors.ts';
import { FromWorker, type ToWorker } from './messages.ts';

const readyLimitMs = 30_000;
const exitLimitMs = 2_000;
const keptStderrLines = 20;
const keptStderrCharacters = 16_384;
const hint = 'See the lines above and the log of this set; the raw results up to here are kept.';

/** The generator's process as the lab sees it: typed messages in and out, and one way to fail. */
export class WorkerProcess {
  private readonly child: ChildProcess;
  private stderrText = '';
  private waiting: { resolve: (message: FromWorker) => void; reject: (reason: Error) => void } | null = null;
  private death: LabError | null = null;

  /**
   * Starts a process and waits until it is ready.
   * @throws LabError BUILD_FAILED when the compiled worker is not there, GENERATOR_FAILED when it does not start.
   */
  static async start(root: string): Promise<WorkerProcess> {
    const entry = join(root, 'dist/lab/load/builtin/worker.js');
    if (!existsSync(entry)) {
      throw new LabError('BUILD_FAILED', `${entry} is not there`, 'Build the project first: npm run build');
    }
    const process = new WorkerProcess(entry);
    try {
      await process.answer(readyLimitMs);
    } catch (thrown) {
      await process.kill();
      throw thrown;
    }
    return process;
  }

  private constructor(entry: string) {
    this.child = fork(entry, [], {
      // A session of its own: the kernel shares CPU between sessions first, and Ctrl-C is for the lab to handle.
      detached: true,
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderrText = (this.stderrText + text).slice(-keptStderrCharacters);
    });
    this.child.on('message', (received) => {
      const message = FromWorker.safeParse(received);
      if (message.success) this.waiting?.resolve(message.data);
      else this.waiting?.reject(this.failure(`sent what is no message: ${message.error.message}`));
      this.waiting = null;
    });
    this.child.on('error', (error) => {
      this.die(this.failure(error.message, error));
    });
    this.child.on('exit', (code, signal) => {
      const die = (): void => {
        this.die(this.failure(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`));
      };
      // Its last words may still be on their way. ('close' would say so, but never comes once this side has disconnected.)
      const { stderr } = this.child;
      if (stderr === null || stderr.closed) die();
      else stderr.once('close', die);
    });
  }

  get pid(): number | null {
    return this.alive ? (this.child.pid ?? null) : null;
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
    if (!this.alive || !this.child.connected) return;
    this.child.send(message, (error) => {
      if (error !== null) this.die(this.failure(`cannot be reached: ${error.message}`, error));
    });
  }

  /** Closes the channel, on which the process ends by itself; kills it when it does not. Safe to call twice. */
  async close(): Promise<void> {
    if (this.child.connected) this.child.disconnect();
    await this.ended();
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended();
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
