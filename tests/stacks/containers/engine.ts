import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Container } from 'dockerode';
import { getContainerRuntimeClient, type ContainerRuntimeClient } from 'testcontainers';

/** All containers of the tests have it. */
const testLabel = 'loadlab.test';
const runLabel = 'loadlab.test.run';

/**
 * Removes the containers of a run when the tests cannot. A line on its standard input says that they could; the pipe's
 * end without one, that there is nobody left to do it. The second look is for a container that was being created.
 */
const guardScript = `
trap '' INT TERM HUP QUIT
read -r line && exit
for look in 1 2; do
  found=$(docker ps --all --quiet --filter "label=$1")
  [ -z "$found" ] || docker rm --force --volumes $found
  [ "$look" = 2 ] || sleep 1
done
`;

/** The engine, and the containers that one run of the tests makes in it. */
export class Engine {
  readonly labels: Readonly<Record<string, string>>;
  /** Where this host reaches the ports that containers publish. */
  readonly host: string;
  readonly #client: ContainerRuntimeClient;
  readonly #run: string;
  readonly #endGuard: () => Promise<void>;

  private constructor(client: ContainerRuntimeClient, run: string, endGuard: () => Promise<void>) {
    this.#client = client;
    this.#run = run;
    this.#endGuard = endGuard;
    this.labels = { [testLabel]: '1', [runLabel]: run };
    const { host } = client.info.containerRuntime;
    this.host = host === 'localhost' ? '127.0.0.1' : host;
  }

  static async connect(): Promise<Engine> {
    // The guard does the work of testcontainers' reaper, without another image and without a container that holds the
    // engine's socket. Whoever wants the reaper as well says so.
    process.env.TESTCONTAINERS_RYUK_DISABLED ??= 'true';
    const client = await getContainerRuntimeClient();
    const run = randomBytes(6).toString('hex');
    return new Engine(client, run, await startGuard(`${runLabel}=${run}`));
  }

  /** One that testcontainers has made: stopped by it, a container cannot be stopped a second time. */
  container(id: string): Container {
    return this.#client.container.getById(id);
  }

  /** Removes every container of this run with its volumes, also those that were created and could not be started. */
  async removeAll(): Promise<void> {
    const filters = { label: [`${runLabel}=${this.#run}`] };
    const found = await this.#client.container.dockerode.listContainers({ all: true, filters });
    await Promise.all(found.map(({ Id }) => this.container(Id).remove({ force: true, v: true })));
    await this.#endGuard();
  }
}

async function startGuard(label: string): Promise<() => Promise<void>> {
  // In a session of its own: Ctrl-C must not end it before the tests.
  const shell = spawn('/bin/sh', ['-c', guardScript, 'loadlab-containers-guard', label], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  await once(shell, 'spawn');
  shell.unref();
  return async () => {
    const ended = once(shell, 'exit');
    shell.stdin.end('removed\n');
    await ended;
  };
}
