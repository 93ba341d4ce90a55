import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Watchdog } from '../../../lab/environment/native/watchdog.ts';
import type { RedisServer } from '../bed.ts';
import { redisCommand } from '../host/redis-command.ts';
import { until } from '../until.ts';

const host = '127.0.0.1';

/** redis-server from PATH on a port of its own, nothing kept on disk. */
export class NativeRedis implements RedisServer {
  readonly url: string;
  readonly #port: number;
  readonly #watchdog: Watchdog;
  #server: ChildProcess | null = null;

  constructor(port: number, watchdog: Watchdog) {
    this.#port = port;
    this.#watchdog = watchdog;
    this.url = `redis://${host}:${port}`;
  }

  async start(): Promise<void> {
    if (this.#server !== null) return;
    const settings = ['--port', String(this.#port), '--bind', host, '--save', '', '--appendonly', 'no'];
    const server = spawn('redis-server', settings, { cwd: tmpdir(), stdio: 'ignore', detached: true });
    if (server.pid !== undefined) this.#watchdog.watch(server.pid, 'TERM');
    await once(server, 'spawn');
    this.#server = server;
    const { pid } = server;
    // Somebody else's Redis on this port would answer too: it has to be the process that was started.
    await until('Redis answers', async () => {
      const info = await this.command(0, 'INFO', 'server').catch(() => '');
      return String(info).includes(`process_id:${pid ?? ''}\r\n`) ? true : null;
    });
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    if (server === null) return;
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
    if (server.pid !== undefined) this.#watchdog.release(server.pid);
  }

  async pause(): Promise<void> {
    const server = this.#running();
    server.kill('SIGSTOP');
    if (process.platform !== 'linux') return;
    await until('Redis is stopped', async () => {
      const status = await readFile(`/proc/${server.pid ?? ''}/status`, 'utf8');
      return /^State:\s*T/m.test(status) ? true : null;
    });
  }

  resume(): Promise<void> {
    this.#server?.kill('SIGCONT');
    return Promise.resolve();
  }

  command(db: number, name: string, ...args: string[]): Promise<unknown> {
    return redisCommand({ host, port: this.#port }, db, name, ...args);
  }

  #running(): ChildProcess {
    if (this.#server === null) throw new Error('Redis is not running');
    return this.#server;
  }
}
