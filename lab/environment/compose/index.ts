import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../contract/root.ts';
import type { EnvironmentRequest } from '../../model/environment.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import { Cleanup } from '../cleanup.ts';
import { apiRole } from '../servers/database-login.ts';
import { findQueryIds } from '../servers/work-counters.ts';
import { compose, type ComposeContext } from './compose-command.ts';
import { ComposeEnvironment } from './compose-environment.ts';
import { readServices } from './config.ts';
import { Containers } from './containers.ts';
import type { Engine } from './engine.ts';
import { holdProject } from './hold.ts';
import { generatorService, projectFile, projectName, serviceOf, type ProjectFacts } from './project-file.ts';
import { openCache, openDatabase } from './servers.ts';

/** In the set's folder for logs. */
const composeLog = 'compose.log';
/** The first build fetches images and packages. */
const buildLimitMs = 20 * 60_000;
const upLimitMs = 5 * 60_000;

/**
 * Builds and starts everything as a Compose project of the lab's own: its name, network, ports, volumes and images are nobody
 * else's. Returns when every server is ready and proven ours. Rejects with a LabError, or the request's abort reason; then nothing
 * is left, unless it was to be kept.
 */
export async function startCompose(engine: Engine, request: EnvironmentRequest): Promise<ComposeEnvironment> {
  const { contract, contractDir, logDir, report, signal } = request;
  await mkdir(logDir, { recursive: true });
  const folder = await mkdtemp(join(tmpdir(), 'loadlab-compose-'));
  const cleanup = new Cleanup();
  cleanup.add('the connections to the engine', () => {
    engine.close();
    return Promise.resolve();
  });
  cleanup.add('the project’s folder', () => rm(folder, { recursive: true, force: true }));
  try {
    const secrets = { nonce: random(), owner: random(), api: random() };
    const { facts, context } = await prepare(engine, request, folder, secrets);
    const containers = new Containers(engine, facts.project);
    await holdProject({ engine, containers, facts, context, request, folder }, cleanup);

    report('building images (minutes the first time, seconds later)');
    const services = request.variants.map(({ variant }) => serviceOf(variant.id));
    const built = facts.generator === 'builtin' ? [...services, generatorService] : services;
    await compose(context, ['build', ...built], {
      limitMs: buildLimitMs,
      signal,
      code: 'BUILD_FAILED',
      failure: 'the images could not be built',
      hint: `The whole output is in ${join(logDir, composeLog)}.`,
    });
    report(`starting the containers of project ${facts.project}`);
    const all = ['postgres', 'redis', ...services, ...(facts.generator === null ? [] : [generatorService])];
    await compose(context, ['up', '--detach', '--no-build', '--no-deps', ...all], {
      limitMs: upLimitMs,
      signal,
      code: 'START_FAILED',
      failure: 'the containers could not be started',
      hint: `The whole output is in ${join(logDir, composeLog)}.`,
    });
    await containers.refresh();
    const database = await openDatabase(containers, secrets, contract, report, signal);
    cleanup.add('the connection to PostgreSQL', () => database.lab.close());
    const cache = await openCache(containers, secrets.nonce, report, signal);
    cleanup.add('the connection to Redis', () => {
      cache.client.disconnect();
      return Promise.resolve();
    });
    const queryIds = await findQueryIds(database.lab.pool, contract, contractDir);
    const environment = new ComposeEnvironment({
      request,
      engine,
      containers,
      project: facts.project,
      exchange: facts.exchange,
      nonce: secrets.nonce,
      databaseUrl: database.url,
      redisUrl: cache.url,
      connections: { pool: database.lab.pool, redis: cache.client, queryIds, role: apiRole, report },
      cleanup,
    });
    await environment.waitForApis();
    return environment;
  } catch (error) {
    await cleanup.run().catch((failure: unknown) => {
      // The first failure is the one to tell; this one must not take its place.
      report(messageOf(failure));
    });
    throw error;
  }
}

async function prepare(
  engine: Engine,
  request: EnvironmentRequest,
  folder: string,
  secrets: { readonly nonce: string; readonly owner: string; readonly api: string },
): Promise<{ facts: ProjectFacts; context: ComposeContext }> {
  const project = projectName(randomBytes(4).toString('hex'));
  const composeFile = join(repositoryRoot, 'docker-compose.yml');
  const exchange = join(folder, 'exchange');
  await mkdir(exchange);
  const base: ComposeContext = {
    project,
    files: [composeFile],
    directory: repositoryRoot,
    variables: variablesOf(project, request, secrets),
    logFile: join(request.logDir, composeLog),
  };
  const services = await readServices(base, request.signal);
  for (const { stack } of request.variants) {
    if (stack.manifest.id in services) continue;
    throw new LabError(
      'BAD_STACK',
      `docker-compose.yml has no service ${stack.manifest.id}`,
      'Give the stack a Dockerfile and a service of its name (docs/extending.md), or take --env native.',
    );
  }
  for (const [name, { cpus = 0 }] of Object.entries(services)) {
    if (cpus > engine.cores)
      request.report(`${name} may use ${cpus} CPUs, and there are ${engine.cores}: limited to these`);
  }
  const facts: ProjectFacts = {
    project,
    composeFile,
    dependencies: Object.fromEntries(
      Object.entries(services).map(([name, { depends_on = {} }]) => [name, Object.keys(depends_on)]),
    ),
    tooManyCpus: Object.entries(services).flatMap(([name, { cpus = 0 }]) => (cpus > engine.cores ? [name] : [])),
    cores: engine.cores,
    variants: request.variants,
    generator: request.generator ?? null,
    root: repositoryRoot,
    exchange,
    user: userOfThisProcess(),
  };
  const override = join(folder, 'project.json');
  await writeFile(override, JSON.stringify(projectFile(facts), null, 2));
  return { facts, context: { ...base, files: [composeFile, override] } };
}

/** Variables of docker-compose.yml that keep this project apart; limits, pools and the images that are fetched stay the user's. */
function variablesOf(
  project: string,
  request: EnvironmentRequest,
  secrets: { readonly nonce: string; readonly owner: string; readonly api: string },
): Record<string, string> {
  return {
    COMPOSE_PROJECT_NAME: project,
    BENCH_NETWORK: project,
    BIND_ADDRESS: '127.0.0.1',
    // 0: whichever the engine finds free.
    POSTGRES_PORT: '0',
    REDIS_PORT: '0',
    ...Object.fromEntries(
      request.variants.map(({ stack }) => [`${stack.manifest.id.toUpperCase().replaceAll('-', '_')}_PORT`, '0']),
    ),
    POSTGRES_PASSWORD: secrets.owner,
    API_PASSWORD: secrets.api,
    LOADLAB_NONCE: secrets.nonce,
  };
}

function userOfThisProcess(): string | null {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()];
  return uid === undefined || gid === undefined ? null : `${uid}:${gid}`;
}

/** Letters and digits only: it stands in URLs. */
function random(): string {
  return randomBytes(16).toString('hex');
}
