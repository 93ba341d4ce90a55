import { randomBytes } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { repositoryRoot } from '../../lab/contract/root.ts';

/** Variables of docker-compose.yml. */
export type Variables = Readonly<Record<string, string>>;

/** What a command of Docker's gave. */
export interface Run {
  /** null: it could not be run. */
  readonly exitCode: number | null;
  readonly stdout: string;
  /** All that it printed, both streams in order. */
  readonly all: string;
}

/**
 * Runs `docker …` with nothing of the user's environment but what leads to the engine: a variable that is set for the
 * user's own project, or in a .env file, must not change what is tested. Never rejects.
 */
export async function docker(args: readonly string[], variables: Variables = {}): Promise<Run> {
  const kept = Object.entries(process.env).filter(([name]) => /^(PATH|HOME|TMPDIR|DOCKER_.*|.*_PROXY)$/i.test(name));
  const env = { ...(Object.fromEntries(kept) as Record<string, string>), ...variables };
  const options = { reject: false, all: true, stdin: 'ignore', cwd: repositoryRoot, env, extendEnv: false } as const;
  const { exitCode = null, stdout, all } = await execa('docker', args, options);
  return { exitCode, stdout, all };
}

const composeFile = ['--env-file', '/dev/null', '-f', join(repositoryRoot, 'docker-compose.yml')];

const Healthcheck = z.object({ test: z.array(z.string()), interval: z.string(), timeout: z.string() });

const Service = z.object({
  image: z.string(),
  user: z.string().optional(),
  command: z.array(z.string()).nullish(),
  environment: z.record(z.string(), z.string().nullable()).default({}),
  healthcheck: Healthcheck.optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  restart: z.string().optional(),
  ports: z.array(z.object({ host_ip: z.string(), target: z.int(), published: z.string() })).default([]),
  volumes: z
    .array(z.object({ type: z.string(), source: z.string(), target: z.string(), read_only: z.boolean().optional() }))
    .default([]),
  tmpfs: z.array(z.string()).default([]),
  /** Compose leaves out a limit that is none. */
  cpus: z.number().default(0),
  cpuset: z.string().optional(),
  mem_limit: z.coerce.number(),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  build: z.object({ args: z.record(z.string(), z.string()), target: z.string().optional() }).optional(),
});
export type Service = z.infer<typeof Service>;

const Config = z.object({
  name: z.string(),
  services: z.record(z.string(), Service),
  networks: z.object({ bench: z.object({ name: z.string() }) }),
});

/** docker-compose.yml as Compose understands it, all profiles included. Throws what Compose says when it does not. */
export async function readConfig(variables: Variables = {}): Promise<z.infer<typeof Config>> {
  const run = await docker(['compose', ...composeFile, '--profile', '*', 'config', '--format', 'json'], variables);
  if (run.exitCode !== 0) throw new Error(run.all);
  return Config.parse(JSON.parse(run.stdout));
}

/** A project of the tests' own: its name, network, ports and images are nobody else's, and results go to its own folder. */
export class TestProject {
  readonly name = `loadlab-test-${randomBytes(4).toString('hex')}`;
  /** Stands in for results/ of the clone. */
  readonly results = mkdtempSync(join(tmpdir(), 'loadlab-results-'));
  readonly variables: Variables;
  readonly #override: string;

  constructor(variables: Variables = {}) {
    this.variables = {
      COMPOSE_PROJECT_NAME: this.name,
      BENCH_NETWORK: this.name,
      POSTGRES_PORT: '0',
      REDIS_PORT: '0',
      GO_API_PORT: '0',
      NODE_API_PORT: '0',
      GO_API_IMAGE: `loadlab/go-api:${this.name}`,
      NODE_API_IMAGE: `loadlab/node-api:${this.name}`,
      LOADLAB_IMAGE: `loadlab/loadlab:${this.name}`,
      ...variables,
    };
    this.#override = join(mkdtempSync(join(tmpdir(), 'loadlab-override-')), 'results.json');
    const services = {
      k6: { volumes: [`${this.results}:/results`] },
      loadlab: { volumes: [`${this.results}:/loadlab/results`] },
    };
    writeFileSync(this.#override, JSON.stringify({ services }));
  }

  /** Runs `docker compose …` on the project. */
  compose(args: readonly string[], variables: Variables = {}): Promise<Run> {
    return docker(['compose', ...composeFile, '-f', this.#override, ...args], { ...this.variables, ...variables });
  }

  /** Runs one statement as the database's owner; the columns of its rows are separated by `|`. */
  async sql(statement: string): Promise<string> {
    const psql = ['exec', '-T', 'postgres', 'psql', '-U', 'loadlab', '-XqAt', '-c', statement];
    const run = await this.compose(psql);
    if (run.exitCode !== 0) throw new Error(run.all);
    return run.stdout;
  }

  /** http://host:port under which this machine reaches port 8080 of a service. */
  async urlOf(service: string): Promise<string> {
    return `http://${(await this.compose(['port', service, '8080'])).stdout}`;
  }

  /** Removes all that was made, the images included. */
  async remove(): Promise<void> {
    await this.compose(['--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '2', '--rmi', 'local']);
    for (const image of ['GO_API_IMAGE', 'NODE_API_IMAGE', 'LOADLAB_IMAGE']) {
      await docker(['image', 'rm', '--force', this.variables[image]!]);
    }
  }

  /** Names of the containers, volumes and networks that there are of it. */
  async leftovers(): Promise<string[]> {
    const label = ['--filter', `label=com.docker.compose.project=${this.name}`];
    const lists = await Promise.all([
      docker(['ps', '--all', '--format', '{{.Names}}', ...label]),
      docker(['volume', 'ls', '--format', '{{.Name}}', ...label]),
      docker(['network', 'ls', '--format', '{{.Name}}', ...label]),
    ]);
    return lists.flatMap(({ stdout }) => stdout.split('\n')).filter((name) => name !== '');
  }
}
