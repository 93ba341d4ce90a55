import { chownSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, type TestContext } from 'vitest';
import { repositoryRoot } from '../../lab/contract/root.ts';
import { needDocker, whyNoDocker } from '../docker.ts';
import { docker, TestProject, type Run } from './project.ts';

const noDocker = await whyNoDocker();
const k6Image = 'grafana/k6:2.2.0';
const k6IsHere = noDocker === null && (await docker(['image', 'inspect', k6Image])).exitCode === 0;
/** The first build fetches packages. */
const firstBuildMs = 20 * 60_000;

/** Somebody who is not root, nor this process where that is root: who owns the results. */
const owner = process.getuid?.() === 0 ? { uid: 12_021, gid: 12_022 } : null;

describe('docker compose up', () => {
  const project = new TestProject({ GO_API_CPUS: '0.5', API_PASSWORD: 'apis', POSTGRES_PASSWORD: 'owners' });
  let up: Run;

  beforeAll(async () => {
    if (noDocker !== null) return;
    if (owner !== null) chownSync(project.results, owner.uid, owner.gid);
    up = await project.compose(['up', '--detach', '--build', '--wait']);
  }, firstBuildMs);
  afterAll(async () => {
    if (noDocker !== null) return;
    await project.remove();
    expect(await project.leftovers()).toEqual([]);
  });
  beforeEach((context) => {
    needDocker(context, noDocker);
    expect(up.exitCode, up.all).toBe(0);
  });

  test('both APIs answer with the same bytes', async () => {
    const [go, node] = await Promise.all(['go-api', 'node-api'].map((name) => project.urlOf(name)));
    for (const path of ['/hello', '/products', '/products-where-like', '/products-with-cache']) {
      const [fromGo, fromNode] = await Promise.all([textOf(`${go}${path}`), textOf(`${node}${path}`)]);
      expect(fromGo, path).toBe(fromNode);
    }
  });

  test('an API knows its quota, which its threads do not show', async () => {
    for (const [service, cpuQuota] of [
      ['go-api', 0.5],
      ['node-api', 2],
    ] as const) {
      const health = JSON.parse(await textOf(`${await project.urlOf(service)}/health`)) as { runtime: object };
      expect(health.runtime, service).toMatchObject({ cpuQuota });
    }
  });

  test('PostgreSQL counts statements, takes 200 connections, and is for the APIs’ role to read only', async () => {
    expect(await project.sql('SHOW max_connections')).toBe('200');
    expect(await project.sql('SHOW shared_preload_libraries')).toBe('pg_stat_statements');
    expect(Number(await project.sql('SELECT count(*) FROM pg_stat_statements'))).toBeGreaterThan(0);
    const rights = `SELECT has_table_privilege('loadlab_api', name, 'SELECT'), has_table_privilege('loadlab_api', name, 'INSERT')
      FROM unnest('{products,loadlab_seed,loadlab.identity}'::text[]) AS name`;
    expect(await project.sql(rights)).toBe('t|f\nt|f\nt|f');
    expect(await project.sql('SELECT relallvisible = relpages FROM pg_class WHERE relname = $$products$$')).toBe('t');
  });

  test.each([
    ['GO_API_IMAGE', '65532:65532'],
    ['NODE_API_IMAGE', 'node'],
  ])('%s runs as %s, and holds the contract', async (image, user) => {
    const inspected = await docker(['image', 'inspect', project.variables[image]!]);
    const [{ Config }] = JSON.parse(inspected.stdout) as [{ Config: { User: string; Env: string[] } }];
    expect(Config.User).toBe(user);
    expect(Config.Env).toContain('CONTRACT_DIR=/contract');
  });

  test('a second build and start change nothing', async () => {
    const before = await containers(project);
    const again = await project.compose(['up', '--detach', '--build', '--wait']);
    expect(again.exitCode, again.all).toBe(0);
    expect(await containers(project)).toEqual(before);
  });

  describe('k6 by hand', () => {
    beforeEach((context: TestContext) => {
      if (!k6IsHere) context.skip(`the image ${k6Image} is not on this machine`);
    });

    function k6(...variables: readonly string[]): Promise<Run> {
      const given = ['BASE_URL=http://go-api:8080', 'STACK=go', 'VUS=5', 'DURATION=1s', ...variables];
      const options = given.flatMap((variable) => ['-e', variable]);
      return project.compose(['run', '--rm', '-T', ...options, 'k6', 'run', '/scripts/scenarios/products.ts']);
    }

    test('its summary reaches the host, owned by the owner of the folder', async () => {
      const run = await k6();
      expect(run.exitCode, run.all).toBe(0);
      const [name = ''] = readdirSync(project.results);
      const { uid, gid } = statSync(join(project.results, name));
      const folder = statSync(project.results);
      expect({ uid, gid }).toEqual({ uid: folder.uid, gid: folder.gid });
      const summary = JSON.parse(readFileSync(join(project.results, name), 'utf8')) as { loadlab: object };
      expect(summary.loadlab).toMatchObject({ stack: 'go', endpoint: 'products', vus: 5, durationMs: 1000 });
    });

    test('a summary that is lost is an error, and an error stays one', async () => {
      const lost = await k6('SUMMARY=/tmp/summary.json');
      expect(lost.exitCode).toBe(1);
      expect(lost.all).toContain('loadlab: k6 ended with 0, but left no summary in /results');
      expect((await k6('BASE_URL=http://nobody:8080')).exitCode).toBe(108);
    });

    test('as a plain container on the same network', async () => {
      const { uid, gid } = statSync(project.results);
      const mounts = [
        `${repositoryRoot}/k6:/scripts`,
        `${repositoryRoot}/contract:/contract`,
        `${project.results}:/results`,
      ];
      const before = readdirSync(project.results).length;
      const run = await docker([
        ...['run', '--rm', '--network', project.name, '--user', `${uid}:${gid}`],
        ...mounts.flatMap((mount) => ['-v', mount]),
        ...[
          k6Image,
          'run',
          '-e',
          'BASE_URL=http://node-api:8080',
          '-e',
          'STACK=node',
          '-e',
          'VUS=5',
          '-e',
          'DURATION=1s',
        ],
        '/scripts/scenarios/products.ts',
      ]);
      expect(run.exitCode, run.all).toBe(0);
      expect(readdirSync(project.results)).toHaveLength(before + 1);
    });
  });

  test('the lab in its image becomes the owner of the results, and keeps the socket’s group', async () => {
    const tell = `process.on('exit', () => console.error(JSON.stringify([process.getuid(), process.getgid(), process.getgroups()])));
      process.argv.push('--help');
      import('/loadlab/dist/lab/container-entry.js');`;
    // Any file will do as the socket: what counts is its group.
    const socket = join(project.results, 'socket');
    writeFileSync(socket, '');
    onTestFinished(() => {
      rmSync(socket);
    });
    if (owner !== null) chownSync(socket, 0, 12_023);
    const run = await project.compose([
      ...['--progress', 'quiet', 'run', '--rm', '-T', '--build', '--no-deps'],
      ...['-v', `${socket}:/var/run/docker.sock`, '--entrypoint', 'node', 'loadlab', '-e', tell],
    ]);
    const { uid, gid } = statSync(project.results);
    const groups = [...new Set([gid, statSync(socket).gid])].sort((a, b) => a - b);
    expect(run.all).toContain('Usage: loadlab');
    expect(run.all).toContain(JSON.stringify([uid, gid, groups]));
  });

  test('a volume of another seed is noticed: the APIs are unhealthy, and say why', async () => {
    await project.sql(`UPDATE loadlab_seed SET version = '0'`);
    const again = await project.compose(['up', '--detach', '--wait', '--force-recreate', 'go-api', 'node-api'], {
      API_HEALTH_INTERVAL: '1s',
    });
    expect(again.exitCode).not.toBe(0);
    expect(again.all).toContain('is unhealthy');
    for (const service of ['go-api', 'node-api']) {
      const { stdout: id } = await project.compose(['ps', '--quiet', service]);
      const { stdout: told } = await docker(['inspect', '--format', '{{(index .State.Health.Log 0).Output}}', id]);
      expect(told, service).toBe(
        'not ready: database: seed version 0 instead of 1 (`docker compose down --volumes` removes it)\n',
      );
    }
  });
});

async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  expect(response.status, url).toBe(200);
  return response.text();
}

async function containers(project: TestProject): Promise<string[]> {
  return (await project.compose(['ps', '--quiet'])).stdout.split('\n').sort();
}
