import { chownSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ResultSet } from '../../lab/model/result.ts';
import { needDocker, whyNoDocker } from '../docker.ts';
import { docker, TestProject, type Run, type Variables } from './project.ts';

const noDocker = await whyNoDocker();
const noK6 =
  noDocker ??
  ((await docker(['image', 'inspect', 'grafana/k6:2.2.0'])).exitCode === 0
    ? null
    : 'k6’s image is not on this machine');
const socket = '/var/run/docker.sock';
const noSocket = noDocker ?? (existsSync(socket) ? null : `${socket} is not there`);
/** The first build fetches packages. */
const firstBuildMs = 20 * 60_000;

/** Somebody who is not root, nor this process where that is root: who owns the results. */
const owner = process.getuid?.() === 0 ? { uid: 12_031, gid: 12_032 } : null;

/** The lab in a container, of servers in containers: a machine needs nothing else. */
describe('docker compose --profile bench run --rm loadlab bench', () => {
  const project = new TestProject({ GO_API_CPUS: '0.5', POSTGRES_PASSWORD: 'geheim' });
  const small = '--endpoints products-with-cache --vus 5 --rounds 6 --seed 1'.split(' ');

  beforeAll(async () => {
    if (noDocker !== null) return;
    if (owner !== null) chownSync(project.results, owner.uid, owner.gid);
    const built = await project.compose(['--profile', 'bench', 'build']);
    expect(built.exitCode, built.all).toBe(0);
  }, firstBuildMs);
  afterAll(async () => {
    if (noDocker !== null) return;
    await project.remove();
    expect(await project.leftovers()).toEqual([]);
  });
  beforeEach((context) => {
    needDocker(context, noDocker);
    for (const name of readdirSync(project.results)) rmSync(join(project.results, name), { recursive: true });
  });

  function bench(args: readonly string[], mounts: readonly string[] = [], variables: Variables = {}): Promise<Run> {
    const volumes = mounts.flatMap((path) => ['--volume', `${path}:${path}`]);
    return project.compose(
      ['--profile', 'bench', 'run', '--rm', '-T', ...volumes, 'loadlab', 'bench', ...small, ...args],
      variables,
    );
  }

  function folder(): string {
    return join(project.results, readdirSync(project.results)[0] ?? 'none');
  }

  function resultSet(): ResultSet {
    return JSON.parse(readFileSync(join(folder(), 'result.json'), 'utf8')) as ResultSet;
  }

  test('measures in one generation; the set is the owner’s; without the socket s is not known, and said so', async () => {
    const run = await bench(['--duration', '1200ms']);
    expect(run.exitCode, run.all).toBe(0);
    const set = resultSet();
    expect(set.status).toBe('complete');
    expect(set.plan.generations).toHaveLength(1);
    expect(set.provenance.environment).toMatchObject({ name: 'remote', sameHost: true });
    expect(set.provenance.environment.servers).toMatchObject({
      'api:go': { cpuQuota: 0.5 },
      postgres: { cpuQuota: null, settings: { cpuQuota: 'not known' } },
    });
    for (const { cpuMsPerRequest, generatorShare, verdicts } of set.summaries) {
      expect(cpuMsPerRequest).toMatchObject({ postgres: null, redis: null });
      expect(cpuMsPerRequest.api).toBeGreaterThan(0);
      expect(generatorShare).toBeNull();
      expect(verdicts.throughput).toMatchObject({ state: 'suspect', reasons: [{ rule: 'share-unknown' }] });
    }
    expect(set.slices.every(({ work }) => work?.queryCalls['sql/products.sql'] !== null)).toBe(true);
    for (const file of readdirSync(folder(), { recursive: true, withFileTypes: true })) {
      const path = join(file.parentPath, file.name);
      if (owner !== null) expect(statSync(path), path).toMatchObject(owner);
      if (file.isFile()) expect(readFileSync(path, 'utf8'), path).not.toContain('geheim');
    }
    expect(run.all).not.toContain('geheim');
  });

  test('with the socket, the engine tells of PostgreSQL and Redis, and s is known', async (context) => {
    if (noSocket !== null) context.skip(noSocket);
    // One round: the engine takes its time for each reading.
    const run = await bench(['--duration', '400ms', '--rounds', '1'], [socket]);
    expect(run.exitCode, run.all).toBe(0);
    const { provenance, summaries } = resultSet();
    expect(provenance.environment.engine).toMatchObject({ name: 'Docker' });
    expect(provenance.environment.servers).toMatchObject({
      postgres: { cpuQuota: 2, limits: { cpus: 2 }, image: { name: 'postgres:16-alpine' } },
      'api:go': { cpuQuota: 0.5, limits: { cpus: 0.5 } },
    });
    for (const { generatorShare, verdicts } of summaries) {
      expect(generatorShare).toBeGreaterThan(0);
      expect(verdicts.throughput.state).toBe('valid');
    }
  });

  test('an interruption reaches the lab: exit code 130, a partial set', async () => {
    const running = bench(['--duration', '30s']);
    const log = (): string => {
      const file = join(folder(), 'slices.jsonl');
      return existsSync(file) ? readFileSync(file, 'utf8') : '';
    };
    await expect.poll(log, { timeout: 120_000 }).toContain('g1-r1-');
    const labels = ['project', 'service'].flatMap((name) => [
      '--filter',
      `label=com.docker.compose.${name}=${name === 'project' ? project.name : 'loadlab'}`,
    ]);
    const { stdout } = await docker(['ps', '--quiet', ...labels]);
    await docker(['kill', '--signal', 'INT', stdout]);
    const run = await running;
    expect(run.exitCode, run.all).toBe(130);
    expect(resultSet()).toMatchObject({ status: 'partial', statusReason: 'interrupted by SIGINT' });
  });

  // Last: it puts another image in the place of the lab's.
  test(
    'LOADLAB_TARGET=with-k6: k6 makes the load',
    async (context) => {
      if (noK6 !== null) context.skip(noK6);
      const variables = { LOADLAB_TARGET: 'with-k6' };
      const built = await project.compose(['--profile', 'bench', 'build', 'loadlab'], variables);
      expect(built.exitCode, built.all).toBe(0);
      const run = await bench(['--rounds', '1', '--duration', '1s', '--generator', 'k6'], [], variables);
      expect(run.exitCode, run.all).toBe(0);
      const { provenance, summaries } = resultSet();
      expect(provenance.generator.name).toBe('k6');
      expect(summaries.every(({ requests, cpuMsPerRequest: { generator } }) => requests > 0 && generator! > 0)).toBe(
        true,
      );
    },
    firstBuildMs,
  );
});
