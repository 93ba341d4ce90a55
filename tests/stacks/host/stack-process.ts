import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../../../lab/environment/native/ports.ts';
import { resolveCommand } from '../../../lab/environment/native/commands.ts';
import type { Watchdog } from '../../../lab/environment/native/watchdog.ts';
import type { Stack } from '../../../lab/model/stack.ts';
import type { Address, Exit, StackProcess } from '../bed.ts';
import { within } from '../until.ts';

const host = '127.0.0.1';

/** A stack as a process of this host, in a session of its own; the watchdog ends it if the tests cannot. */
export class HostStackProcess implements StackProcess {
  readonly address: Address;
  readonly exited: Promise<Exit>;
  readonly #child: ChildProcess;
  #stderr = '';
  #wake: () => void = () => undefined;

  private constructor(child: ChildProcess, address: Address, watchdog: Watchdog) {
    this.#child = child;
    this.address = address;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#wake();
    });
    // `close`, not `exit`: by then all that it wrote has been read.
    this.exited = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        if (child.pid !== undefined) watchdog.release(child.pid);
        resolve({ code, signal });
        this.#wake();
      });
    });
  }

  static async launch(
    stack: Stack,
    environment: Readonly<Record<string, string>>,
    watchdog: Watchdog,
  ): Promise<HostStackProcess> {
    const port = environment.PORT === undefined ? await freePort() : Number(environment.PORT);
    const [file, ...args] = resolveCommand(stack.folder, stack.manifest.start.command);
    const { PATH = '', HOME = '' } = process.env;
    const child = spawn(file, args, {
      cwd: stack.folder,
      // Nothing else of the user's environment: what is set there must not change what is tested.
      env: { PATH, HOME, HOST: host, PORT: String(port), ...stack.manifest.start.environment, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    if (child.pid !== undefined) watchdog.watch(child.pid, 'TERM');
    const started = new HostStackProcess(child, { host, port }, watchdog);
    await once(child, 'spawn');
    return started;
  }

  get baseUrl(): string {
    return `http://${this.address.host}:${this.address.port}`;
  }

  stderr(): string {
    return this.#stderr;
  }

  /** Waits for the event that the process writes once its port is open; rejects when it ends before. */
  async listening(): Promise<void> {
    let ended = false;
    void this.exited.then(() => (ended = true));
    const wait = async (): Promise<void> => {
      while (!this.#stderr.includes('"event":"listening"')) {
        if (ended) throw new Error(`it ended instead of listening:\n${this.#stderr}`);
        await new Promise<void>((resolve) => (this.#wake = resolve));
        // `exited` tells its listeners one turn later.
        await Promise.resolve();
      }
    };
    await within('the stack listens', wait());
  }

  signal(name: 'SIGTERM' | 'SIGINT'): void {
    this.#child.kill(name);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.exited;
  }
}
