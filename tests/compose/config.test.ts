import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readContract } from '../../lab/contract/read.ts';
import { repositoryRoot } from '../../lab/contract/root.ts';
import { clusterSettings } from '../../lab/environment/native/cluster-settings.ts';
import { needDocker, whyNoDocker } from '../docker.ts';
import { readConfig, type Service } from './project.ts';

const noDocker = await whyNoDocker();
const apis = ['go-api', 'node-api'] as const;
const serving = ['postgres', 'redis', ...apis] as const;
const all = [...serving, 'k6', 'loadlab'] as const;
/** As variables begin: GO_API_CPUS. */
const prefix = (service: string): string => service.toUpperCase().replaceAll('-', '_');

describe('docker-compose.yml', () => {
  let services: Record<(typeof all)[number], Service>;

  beforeAll(async () => {
    if (noDocker === null) services = (await readConfig()).services;
  });
  beforeEach((context) => {
    needDocker(context, noDocker);
  });

  test('has these services and no others, on a network of its own', async () => {
    expect(Object.keys(services).sort()).toEqual([...all].sort());
    const { name, networks } = await readConfig({ COMPOSE_PROJECT_NAME: 'other', BENCH_NETWORK: 'elsewhere' });
    expect([name, networks.bench.name]).toEqual(['other', 'elsewhere']);
  });

  test.each(serving)('%s: checked for health, restarted, reached by loopback alone', (name) => {
    const { healthcheck, restart, ports } = services[name];
    expect(healthcheck?.test.length).toBeGreaterThan(1);
    expect(restart).toBe('unless-stopped');
    expect(ports.map(({ host_ip }) => host_ip)).toEqual(['127.0.0.1']);
  });

  test.each(serving)('%s: its port and address are variables, and 0 leaves the port to the engine', async (name) => {
    const variables = { [`${prefix(name)}_PORT`]: '0', BIND_ADDRESS: '0.0.0.0' };
    const { ports } = (await readConfig(variables)).services[name]!;
    expect(ports).toMatchObject([{ host_ip: '0.0.0.0', published: '0' }]);
  });

  test.each(all)('%s: its limits are variables', async (name) => {
    // Generators have none: one that is held back measures itself.
    const cpusOf = (service: string): number => (serving.some((server) => server === service) ? 2 : 0);
    expect(services[name].cpus).toBe(cpusOf(name));
    expect(services[name].mem_limit).toBeGreaterThan(0);
    expect(services[name].cpuset ?? '').toBe('');
    const limits = { CPUS: '0.5', MEMORY: '300m', CPUSET: '0-1' };
    const variables = Object.entries(limits).map(([limit, value]) => [`${prefix(name)}_${limit}`, value]);
    const changed = await readConfig(Object.fromEntries(variables) as Record<string, string>);
    expect(changed.services[name]).toMatchObject({ cpus: 0.5, mem_limit: 300 * 1024 * 1024, cpuset: '0-1' });
    const others = all.filter((other) => other !== name);
    for (const other of others) expect(changed.services[other]?.cpus, other).toBe(cpusOf(other));
  });

  test.each(apis)('%s: no rights, nothing to write to, started when both servers are healthy', (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      cap_add: [],
      security_opt: ['no-new-privileges:true'],
      depends_on: { postgres: { condition: 'service_healthy' }, redis: { condition: 'service_healthy' } },
    });
  });

  test('the APIs differ in nothing but image and check: the same limits, variables and pools', async () => {
    const variables = { DB_POOL_SIZE: '7', REDIS_POOL_SIZE: '8', LOADLAB_NONCE: 'n' };
    const { 'go-api': go, 'node-api': node } = (await readConfig(variables)).services;
    expect(go!.environment).toMatchObject(variables);
    expect(node!.environment).toEqual(go!.environment);
    expect([node!.cpus, node!.mem_limit]).toEqual([go!.cpus, go!.mem_limit]);
    // Unset, a pool is as large as the contract says.
    expect(services['go-api'].environment).toMatchObject({ DB_POOL_SIZE: '', REDIS_POOL_SIZE: '' });
  });

  test('other versions are build arguments and tags', async () => {
    const changed = await readConfig({
      GO_IMAGE: 'golang:1.27',
      NODE_IMAGE: 'node:22-bookworm-slim',
      POSTGRES_IMAGE: 'postgres:17-alpine',
      REDIS_IMAGE: 'redis:8-alpine',
      K6_IMAGE: 'grafana/k6:9.9.9',
      LOADLAB_TARGET: 'with-k6',
    });
    expect(changed.services).toMatchObject({
      'go-api': { build: { args: { GO_IMAGE: 'golang:1.27' } } },
      'node-api': { build: { args: { NODE_IMAGE: 'node:22-bookworm-slim' } } },
      postgres: { image: 'postgres:17-alpine' },
      redis: { image: 'redis:8-alpine' },
      k6: { image: 'grafana/k6:9.9.9' },
      loadlab: { build: { args: { K6_IMAGE: 'grafana/k6:9.9.9' }, target: 'with-k6' } },
    });
  });

  test('PostgreSQL is filled from files that are there: the role, the contract’s seed, the grants', async () => {
    const { seed } = await readContract(join(repositoryRoot, 'contract'));
    const scripts = services.postgres.volumes
      .filter(({ target }) => target.startsWith('/docker-entrypoint-initdb.d/'))
      .sort((a, b) => a.target.localeCompare(b.target));
    expect(scripts.map(({ source }) => source.slice(repositoryRoot.length + 1))).toEqual([
      'docker/postgres/10-role.sql',
      ...seed.files.map((file) => `contract/${file}`),
      'contract/sql/access.sql',
      'docker/postgres/90-vacuum.sql',
    ]);
    for (const { source, read_only } of scripts) {
      expect(existsSync(source), source).toBe(true);
      expect(read_only, source).toBe(true);
    }
  });

  test('PostgreSQL has the settings of the native environment', () => {
    const given = services.postgres.command?.filter((argument) => argument.startsWith('-c'));
    // Where it listens is for the image to say.
    const wanted = Object.entries(clusterSettings).filter(([name]) => !/^(listen_|unix_socket_)/.test(name));
    expect(given).toEqual(wanted.map(([name, value]) => `-c${name}=${value}`));
  });

  test('the check of PostgreSQL goes by TCP, the one of Redis wants its answer', () => {
    expect(services.postgres.healthcheck?.test.join(' ')).toContain('pg_isready --quiet -h 127.0.0.1');
    expect(services.redis.healthcheck?.test.join(' ')).toContain('= PONG');
  });

  test('k6 and the lab have the rights that giving files to their owner takes, and no others', () => {
    expect(services.k6).toMatchObject({ cap_drop: ['ALL'], cap_add: ['CHOWN', 'DAC_OVERRIDE'], read_only: true });
    expect(services.loadlab).toMatchObject({
      cap_drop: ['ALL'],
      cap_add: ['SETUID', 'SETGID', 'KILL'],
      read_only: true,
    });
    const written = services.k6.volumes.filter(({ read_only }) => read_only !== true).map(({ target }) => target);
    expect(written).toEqual(['/results']);
  });
});
