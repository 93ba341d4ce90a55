import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../contract/root.ts';
import {
  abortOf,
  fakeRequest,
  isAlive,
  listens,
  ownDataHome,
  processesNaming,
  refusal,
  removeDataHome,
} from './fixtures/request.ts';
import { startNative } from './index.ts';
import { freePort } from './ports.ts';

let home: string;
const data = (...path: string[]): string => join(home, 'data', ...path);

beforeAll(async () => {
  home = await ownDataHome();
});
afterAll(async () => {
  await removeDataHome(home);
});

function expectNothingLeft(): void {
  expect(processesNaming(home)).toEqual([]);
}

describe('a start that fails', () => {
  it('shows the last lines of an API that ends while starting', async () => {
    const error = await refusal(startNative(await fakeRequest(home, { environment: { FAKE_EXIT: '7' } })));
    expect(error.code).toBe('START_FAILED');
    expect(error.message).toContain('variant fake');
    expect(error.logTail).toEqual(['the fake stack does not feel like it']);
    expectNothingLeft();
  });

  it('refuses an API with another nonce', async () => {
    const error = await refusal(startNative(await fakeRequest(home, { environment: { FAKE_NONCE: 'other' } })));
    expect(error.code).toBe('NOT_OURS');
    expectNothingLeft();
  });

  it('shows the last lines of a build that fails', async () => {
    const build = { command: ['sh', '-c', 'echo cannot find it >&2; exit 4'], environment: {} };
    const error = await refusal(startNative(await fakeRequest(home, { manifest: { build } })));
    expect(error.code).toBe('BUILD_FAILED');
    expect(error.message).toContain('exit code 4');
    expect(error.logTail).toEqual(['cannot find it']);
  });

  it('names everything that is missing at once', async () => {
    const requires = ['no-such-tool', 'no-other-tool'].map((tool) => ({
      command: [tool, '--version'],
      pattern: '(\\d+)',
      minimum: '1',
      hint: `install ${tool}`,
    }));
    const old = { command: ['node', '--version'], pattern: 'v(\\d+)', minimum: '99', hint: 'install it' };
    const error = await refusal(startNative(await fakeRequest(home, { manifest: { requires: [...requires, old] } })));
    expect(error.code).toBe('TOOL_MISSING');
    expect(error.message.split('\n')).toEqual([
      'no-such-tool 1 or newer is needed; no-such-tool is not there. Get it: install no-such-tool',
      'no-other-tool 1 or newer is needed; no-other-tool is not there. Get it: install no-other-tool',
      expect.stringMatching(/^node 99 or newer is needed; this is \d+\. Get it: install it$/),
    ]);
    const onlyOld = await refusal(startNative(await fakeRequest(home, { manifest: { requires: [old] } })));
    expect(onlyOld.code).toBe('TOOL_TOO_OLD');
  });

  it('says which fixed port is in use', async () => {
    const port = await freePort();
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const error = await refusal(startNative(await fakeRequest(home, { portsByVariant: { fake: port } })));
    server.close();
    expect(error.message).toContain(`port ${port}, wanted for variant fake, is in use`);
    expectNothingLeft();
  });

  it('stops everything when it is interrupted, at whichever step', async () => {
    for (const step of ['building', 'starting PostgreSQL', 'starting Redis', 'starting the APIs']) {
      const interrupt = new AbortController();
      const reason = new Error(`interrupted at ${step}`);
      const request = await fakeRequest(home, {
        signal: interrupt.signal,
        report: (line) => {
          if (line.startsWith(step)) interrupt.abort(reason);
        },
      });
      await expect(startNative(request)).rejects.toBe(reason);
      expectNothingLeft();
    }
  });
});

describe('a server that dies', () => {
  it.each(['api:fake', 'redis', 'postgres'] as const)('is named: %s', async (name) => {
    const environment = await startNative(await fakeRequest(home));
    try {
      const killed = environment.components()[name]!.pid;
      if (name === 'api:fake') {
        await fetch(`${environment.baseUrl('fake')}/down`).catch(() => undefined);
      } else {
        process.kill(killed, 'SIGKILL');
      }
      const error = await abortOf(environment.failed);
      expect(error.code).toBe('SERVER_DIED');
      const expected = { 'api:fake': 'the API of variant fake (fake)', redis: 'Redis', postgres: 'PostgreSQL' }[name];
      expect(error.message).toContain(`${expected} (pid ${killed}) ended by itself`);
      if (name === 'api:fake') expect(error.logTail.at(-1)).toBe('going down, because somebody asked for it');
      else expect(error.message).toContain('SIGKILL');
    } finally {
      await environment.stop();
    }
    expectNothingLeft();
  });

  it('is killed when it does not stop by itself', async () => {
    const request = await fakeRequest(home, { environment: { FAKE_STUBBORN: '1' } });
    const limits = { ...request.contract.limits, shutdownTimeoutMs: 300 };
    const environment = await startNative({ ...request, contract: { ...request.contract, limits } });
    const { pid } = environment.components()['api:fake']!;
    await environment.stop();
    expect(isAlive(pid)).toBe(false);
    expect(await readFile(join(home, 'logs/api-fake.log'), 'utf8')).toContain('SIGTERM? No.');
  });
});

describe('a server that stalls', () => {
  it('does not keep the lab waiting: PostgreSQL', async () => {
    const environment = await startNative(await fakeRequest(home));
    const client = new pg.Client({ connectionString: environment.databaseUrl, application_name: 'test' });
    await client.connect();
    const { rows } = await client.query<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'loadlab' AND usename = 'loadlab'",
    );
    await client.end();
    expect(rows).toHaveLength(1);
    try {
      process.kill(rows[0]!.pid, 'SIGSTOP');
      const error = await environment.fingerprint().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'ENVIRONMENT_FAILED' });
      expect((error as Error).message).toMatch(/^PostgreSQL did not answer the lab: .*timeout/);
      // Another connection is made for the next question.
      expect((await environment.fingerprint()).postgres?.version).toMatch(/^16/);
    } finally {
      process.kill(rows[0]!.pid, 'SIGCONT');
      await environment.stop();
    }
    expectNothingLeft();
  });

  it('does not keep the lab waiting: Redis', async () => {
    const environment = await startNative(await fakeRequest(home));
    const { pid } = environment.components().redis!;
    try {
      process.kill(pid, 'SIGSTOP');
      const error = await environment.deleteCacheKey('any').catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'ENVIRONMENT_FAILED' });
      expect((error as Error).message).toMatch(/^Redis did not answer the lab: /);
    } finally {
      process.kill(pid, 'SIGCONT');
      await environment.stop();
    }
    expectNothingLeft();
  });
});

/** Starts, asks for the rows, stops: whatever had been left there. Returns what was reported. */
async function startsAgain(limitMs = 60_000): Promise<string> {
  const request = await fakeRequest(home);
  const began = performance.now();
  const environment = await startNative(request);
  try {
    const response = await fetch(`${environment.baseUrl('fake')}/products`);
    expect(await response.json()).toHaveLength(100);
    expect(performance.now() - began).toBeLessThan(limitMs);
  } finally {
    await environment.stop();
  }
  return request.lines.join('\n');
}

describe('the kept database', () => {
  it('is used again when nothing is wrong with it', async () => {
    expect(await startsAgain()).not.toContain('making');
  });

  it('is used again although postmaster.pid names a process that lives, but is another', async () => {
    await writeFile(
      data('database/cluster/postmaster.pid'),
      `${process.pid}\n${data('database/cluster')}\n1\n5999\n\n127.0.0.1\n`,
    );
    expect(await startsAgain(15_000)).not.toContain('making');
  });

  it('is left alone while a server that no lab owns runs in it', async () => {
    const stranger = spawn('sleep', ['60'], { cwd: data('database/cluster') });
    await writeFile(data('database/cluster/postmaster.pid'), `${stranger.pid!}\n`);
    try {
      expect(await startsAgain()).toContain(`kill -INT ${stranger.pid!}\nmaking a temporary database`);
      expect(isAlive(stranger.pid!)).toBe(true);
    } finally {
      stranger.kill();
    }
    expect(await startsAgain()).not.toContain('making');
  });

  it.each([
    ['a control file that is cut', () => writeFile(data('database/cluster/global/pg_control'), 'x')],
    ['a cluster without files', () => rm(data('database/cluster/base'), { recursive: true })],
  ])('is made anew after damage: %s', async (_, damage) => {
    await damage();
    expect(await startsAgain()).toContain('cannot be used');
  });

  it('is made anew when rows differ', async () => {
    const environment = await startNative(await fakeRequest(home));
    const client = new pg.Client({ connectionString: environment.databaseUrl });
    await client.connect();
    await client.query(`UPDATE products SET name = 'Oak lamp!' WHERE id = 17`);
    await client.end();
    await environment.stop();
    expect(await startsAgain()).toMatch(/md5 of the rows .* making it anew/);
  });

  it('is killed and made anew when it starts and then hangs', async () => {
    const environment = await startNative(await fakeRequest(home));
    const client = new pg.Client({ connectionString: environment.databaseUrl });
    await client.connect();
    await client.query(
      `CREATE FUNCTION hang() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(600); END $$`,
    );
    await client.query(
      'CREATE TRIGGER hang BEFORE DELETE ON loadlab.identity FOR EACH STATEMENT EXECUTE FUNCTION hang()',
    );
    await client.end();
    await environment.stop();
    // The limit holds the making anew as well.
    expect(await startsAgain(20_000)).toContain('does not answer');
    expectNothingLeft();
  });

  it('is made anew for another seed, and when it was never finished', async () => {
    const manifest = JSON.parse(await readFile(data('database/manifest.json'), 'utf8')) as object;
    await writeFile(data('database/manifest.json'), JSON.stringify({ ...manifest, seedVersion: '0' }));
    expect(await startsAgain()).toContain('of another seed');
    await rm(data('database/manifest.json'));
    expect(await startsAgain()).toContain('making the database');
  });
});

describe('a lab that is killed', () => {
  it('leaves nothing: the watchdog ends its servers and its generator, and the next lab starts at once', async () => {
    const request = await fakeRequest(home);
    const file = join(home, 'request.json');
    await writeFile(file, JSON.stringify(request));
    const entry = join(repositoryRoot, 'dist/lab/environment/native/index.js');
    const lab = spawn(process.execPath, [join(import.meta.dirname, 'fixtures/lab.mjs'), entry, file], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = (await once(lab.stdout, 'data')) as [Buffer];
    const { pids, urls } = JSON.parse(said.toString()) as { pids: number[]; urls: string[] };
    expect(pids.filter(isAlive)).toHaveLength(4);

    lab.kill('SIGKILL');
    await expect.poll(() => pids.filter(isAlive), { timeout: 10_000 }).toEqual([]);
    for (const url of urls) expect(await listens(url)).toBe(false);
    await expect.poll(() => processesNaming(home), { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => existsSync(join(home, 'generator')), { timeout: 10_000 }).toBe(false);
    const locks = async (): Promise<string[]> => (await readdir(data())).filter((name) => name.endsWith('.lock'));
    await expect.poll(locks, { timeout: 10_000 }).toEqual([]);
    expect(await startsAgain(15_000)).not.toContain('making');
  });
});
