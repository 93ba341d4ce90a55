import { mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import Docker from 'dockerode';
import { execa } from 'execa';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '../../lab/contract/root.ts';
import type { ResultSet } from '../../lab/model/result.ts';
import { needDocker, whyNoDocker } from '../docker.ts';
import { EngineDoor } from '../engine-door.ts';
import { loadlab, onlySet, printed, resultsFolder, type LoadlabRun, type Surroundings } from './loadlab.ts';

const noDocker = await whyNoDocker();
const noK6 = noDocker === null ? await whyNoImage('grafana/k6:2.2.0') : null;

/** k6's image is not the lab's to bring: without it and without a registry these tests cannot run. */
async function whyNoImage(name: string): Promise<string | null> {
  try {
    await new Docker().getImage(name).inspect();
    return null;
  } catch {
    return `the image ${name} is not on this machine`;
  }
}

const small = '--endpoints products-with-cache --vus 5 --duration 2s --rounds 2 --seed 1'.split(' ');
const long = '--endpoints hello --vus 5 --duration 6s --rounds 10 --generator builtin'.split(' ');
/** Printed when the first generation is measured. */
const measuring = /generation 1 of 5/;
const limitMs = 240_000;

function bench(args: readonly string[], out: string, surroundings: Surroundings = {}): LoadlabRun {
  const run = loadlab(['bench', '--env', 'compose', ...args, '--out', out], surroundings);
  onTestFinished(() => void run.kill('SIGKILL'));
  return run;
}

function setIn(out: string): ResultSet {
  return JSON.parse(readFileSync(join(onlySet(out), 'result.json'), 'utf8')) as ResultSet;
}

/** The project that a lab made, from what it printed. */
function projectOf(text: string): string {
  const project = /containers of project (loadlab-[0-9a-f]+)/.exec(text)?.[1];
  if (project === undefined) throw new Error(`no project is named in:\n${text}`);
  return project;
}

/** Containers, networks, volumes and images of a project that are still there. */
async function leftOf(project: string): Promise<string[]> {
  const docker = new Docker();
  const filters = { label: [`com.docker.compose.project=${project}`] };
  const [containers, networks, { Volumes }, images] = await Promise.all([
    docker.listContainers({ all: true, filters }),
    docker.listNetworks({ filters }),
    docker.listVolumes({ filters }),
    docker.listImages(),
  ]);
  return [
    ...containers.flatMap(({ Names }) => Names),
    ...networks.map(({ Name }) => Name),
    ...Volumes.map(({ Name }) => Name),
    ...images.flatMap(({ RepoTags }) => RepoTags ?? []).filter((tag) => tag.endsWith(`:${project}`)),
  ];
}

describe.each([
  ['builtin', null],
  ['k6', noK6],
] as const)('a small study in containers, generator %s', (generator, lack) => {
  const out = resultsFolder();
  let set: ResultSet;
  let project = '';

  beforeAll(async () => {
    if (noDocker !== null || lack !== null) return;
    const environment = { GO_API_CPUS: '0.5', NODE_API_MEMORY: '300m' };
    const run = await loadlab(['bench', '--env', 'compose', '--generator', generator, ...small, '--out', out], {
      environment,
    });
    expect(run.exitCode, run.all).toBe(0);
    project = projectOf(run.all);
    set = setIn(out);
  }, limitMs);

  beforeEach((context) => {
    needDocker(context, noDocker);
    if (lack !== null) context.skip(lack);
  });

  test('it is complete, and every cell was measured without a failure', () => {
    expect(set.status).toBe('complete');
    expect(set.summaries).toHaveLength(2);
    for (const { requests, failedRequests, checksRate } of set.summaries) {
      expect(requests).toBeGreaterThan(0);
      expect(failedRequests).toBe(0);
      expect(checksRate).toBe(1);
    }
    expect(set.provenance.generator.name).toBe(generator);
  });

  test('CPU, memory and throttling of every container stand in every slice', () => {
    for (const { sample } of set.slices) {
      for (const name of ['api:go', 'api:node', 'postgres', 'redis', 'generator']) {
        const component = sample?.components[name];
        expect(component, name).toMatchObject({ reason: null });
        expect(component?.cpuUserMs).toBeGreaterThanOrEqual(0);
        expect(component?.residentBytes).toBeGreaterThan(0);
        expect(component?.throttledMs).toBeGreaterThanOrEqual(0);
      }
    }
    for (const { generatorShare } of set.summaries) {
      expect(generatorShare).toBeGreaterThan(0);
      expect(generatorShare).toBeLessThan(1);
    }
    // Half a CPU is less than what the load wants.
    const go = set.slices.filter(({ slice }) => slice.cell.variant === 'go');
    expect(Math.max(...go.map(({ sample }) => sample?.components['api:go']?.throttledMs ?? 0))).toBeGreaterThan(0);
  });

  test('the fingerprint has engine, images, limits and quotas beside the parallelism', () => {
    const { environment } = set.provenance;
    expect(environment).toMatchObject({ name: 'compose', sameHost: true, engine: { name: 'Docker' } });
    expect(environment.engine?.version).toMatch(/^\d+\./);
    expect(environment.engine?.composeVersion).toMatch(/^\d+\./);
    for (const server of Object.values(environment.servers)) {
      expect(server.image?.id).toMatch(/^sha256:[0-9a-f]{64}$/);
      expect(server.limits?.memoryBytes).toBeGreaterThan(0);
    }
    expect(environment.servers['api:go']).toMatchObject({ cpuQuota: 0.5, limits: { cpus: 0.5 } });
    expect(environment.servers['api:node']).toMatchObject({ limits: { memoryBytes: 300 * 1024 ** 2 } });
    const report = readFileSync(join(onlySet(out), 'report.md'), 'utf8');
    expect(report).toContain('0.5 CPU');
  });

  test('it validates against its published schema', () => {
    const schema = JSON.parse(readFileSync(join(repositoryRoot, 'contract/result-set.schema.json'), 'utf8')) as object;
    const validate = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
    validate(set);
    expect(validate.errors).toBeNull();
  });

  test('what it wrote is its user’s, and nothing is left in the engine', async () => {
    for (const { measurement } of set.slices) {
      expect(statSync(join(onlySet(out), measurement!.raw)).uid).toBe(process.getuid?.());
    }
    expect(await leftOf(project)).toEqual([]);
  });
});

describe('whatever ends a study in containers, nothing is lost and nothing left', () => {
  beforeEach((context) => {
    needDocker(context, noDocker);
  });

  test('Ctrl-C: exit code 130, a partial set', { timeout: limitMs }, async () => {
    const out = resultsFolder();
    const run = bench(long, out);
    await printed(run, measuring);
    run.kill('SIGINT');
    const ended = await run;
    expect(ended.exitCode, ended.all).toBe(130);
    expect(setIn(out)).toMatchObject({ status: 'partial' });
    expect(await leftOf(projectOf(ended.all))).toEqual([]);
  });

  test('Ctrl-C while the containers start: exit code 130, no set', { timeout: limitMs }, async () => {
    const run = bench(long, resultsFolder());
    await printed(run, 'starting the containers');
    run.kill('SIGINT');
    const ended = await run;
    expect(ended.exitCode, ended.all).toBe(130);
    expect(await leftOf(projectOf(ended.all))).toEqual([]);
  });

  test(
    'one that ends while starting: exit code 4, named with its last lines, no set',
    { timeout: limitMs },
    async () => {
      const out = resultsFolder();
      // Redis knows nothing of PostgreSQL's arguments.
      const ended = await bench(long, out, { environment: { POSTGRES_IMAGE: 'redis:7-alpine' } });
      expect(ended.exitCode, ended.all).toBe(4);
      expect(ended.stderr).toMatch(/the container of postgres ended with exit code \d+ while starting/);
      expect(ended.stderr).toMatch(/^ {2}\| .+/m);
      expect(readdirSync(onlySet(out))).not.toContain('header.json');
      expect(await leftOf(projectOf(ended.all))).toEqual([]);
    },
  );

  test('Ctrl-C during the first warm-up: exit code 130, no set, no warning', { timeout: limitMs }, async () => {
    const out = resultsFolder();
    const run = bench(long, out);
    await printed(run, 'parity: hello is the same');
    run.kill('SIGINT');
    const ended = await run;
    expect(ended.exitCode, ended.all).toBe(130);
    expect(ended.all).not.toContain('warning');
    expect(readdirSync(out)).toEqual([]);
    expect(await leftOf(projectOf(ended.all))).toEqual([]);
  });

  test('--keep leaves the servers, says where, and how they are removed', { timeout: limitMs }, async () => {
    const once = '--endpoints hello --vus 2 --duration 200ms --rounds 1 --generator builtin --keep'.split(' ');
    const ended = await bench(once, resultsFolder());
    expect(ended.exitCode, ended.all).toBe(0);
    const project = projectOf(ended.all);
    const port = /kept: api-go at 127\.0\.0\.1:(\d+)/.exec(ended.all)?.[1] ?? '';
    expect((await fetch(`http://127.0.0.1:${port}/health?ready=1`)).status).toBe(200);
    expect((await leftOf(project)).join(' ')).not.toContain('generator');
    const command =
      /kept: remove it with (docker compose --project-name \S+ down --volumes)/.exec(ended.all)?.[1] ?? '';
    const [program = '', ...args] = command.split(' ');
    await execa(program, args, { cwd: tmpdir() });
    // What is left are tags of images.
    for (const tag of await leftOf(project)) await new Docker().getImage(tag).remove({ force: true });
    expect(await leftOf(project)).toEqual([]);
  });

  test(
    'a container that is killed in the middle: exit code 4, named with its last lines',
    { timeout: limitMs },
    async () => {
      const out = resultsFolder();
      const run = bench(long, out);
      let text = '';
      run.all.on('data', (chunk: Buffer) => (text += chunk.toString()));
      await printed(run, measuring);
      const filters = {
        label: [`com.docker.compose.project=${projectOf(text)}`, 'com.docker.compose.service=postgres'],
      };
      const [container] = await new Docker().listContainers({ filters });
      await new Docker().getContainer(container!.Id).kill();
      const ended = await run;
      expect(ended.exitCode, ended.all).toBe(4);
      expect(ended.stderr).toContain('the container of postgres ended with exit code 137');
      expect(ended.stderr).toContain('ready to accept connections');
      const set = setIn(out);
      expect(set.status).toBe('partial');
      expect(set.statusReason).toContain('postgres');
      expect(set.headline.runs).toBeGreaterThan(0);
      expect(await leftOf(projectOf(ended.all))).toEqual([]);
    },
  );

  test('SIGKILL of the lab itself: its containers go too', { timeout: limitMs }, async () => {
    const run = bench(long, resultsFolder());
    await printed(run, measuring);
    run.kill('SIGKILL');
    const { all } = await run;
    await expect.poll(() => leftOf(projectOf(all)), { timeout: 60_000 }).toEqual([]);
  });

  test('an engine that falls silent: exit code 4, said so, a partial set', { timeout: limitMs }, async () => {
    const door = await EngineDoor.open(mkdtempSync(join(tmpdir(), 'loadlab-door-')));
    onTestFinished(() => door.close());
    const out = resultsFolder();
    const run = bench(long, out, { environment: { DOCKER_HOST: door.host } });
    await printed(run, measuring);
    door.stall();
    const ended = await run;
    expect(ended.exitCode, ended.all).toBe(4);
    expect(ended.stderr).toContain('the Docker engine does not answer any more');
    const project = projectOf(ended.all);
    expect(ended.all).toContain(`docker compose --project-name ${project} down --volumes`);
    expect(setIn(out)).toMatchObject({ status: 'partial' });
    // The engine itself is well: this is what the message asks for.
    const down = await loadlabDown(project);
    expect(down).toEqual([]);
  });
});

/** Removes what a lab had to leave, as it said, and returns what is left then. */
async function loadlabDown(project: string): Promise<string[]> {
  const docker = new Docker();
  const filters = { label: [`com.docker.compose.project=${project}`] };
  for (const { Id } of await docker.listContainers({ all: true, filters })) {
    await docker.getContainer(Id).remove({ force: true, v: true });
  }
  for (const { Id } of await docker.listNetworks({ filters })) await docker.getNetwork(Id).remove();
  const { Volumes } = await docker.listVolumes({ filters });
  for (const { Name } of Volumes) await docker.getVolume(Name).remove();
  for (const tag of await leftOf(project)) await docker.getImage(tag).remove({ force: true });
  return leftOf(project);
}
