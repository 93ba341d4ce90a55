import { once } from 'node:events';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildEnvironment } from './build.ts';
import { Cleanup } from '../cleanup.ts';
import { resolveCommand } from './commands.ts';
import { controllers, parseMax } from './cpu-quota.ts';
import { claimDataFolder } from './data-folder.ts';
import { openDataHome } from './data-home.ts';
import { releaseLock } from './lock.ts';
import { readLogTail } from '../log-tail.ts';
import { freePort, isFree } from './ports.ts';
import { infoField } from '../servers/redis-client.ts';
import { ownQuestion } from '../servers/own-question.ts';
import { atLeast } from './requirements.ts';
import type { Watchdog } from './watchdog.ts';

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'loadlab-parts-'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

describe('atLeast', () => {
  it.each([
    ['20.20.2', '20.17', true],
    ['20.9.0', '20.17', false],
    ['1.26', '1.26.0', true],
    ['7', '7.0', true],
    ['10.0', '9.9.9', true],
    ['6.2.14', '7.0', false],
  ])('%s ≥ %s: %s', (version, minimum, expected) => {
    expect(atLeast(version, minimum)).toBe(expected);
  });
});

describe('CPU quota', () => {
  it('reads both versions of cgroups', () => {
    expect(parseMax('50000 100000\n')).toBe(0.5);
    expect(parseMax('max 100000\n')).toBeNull();
    expect(parseMax('-1 100000')).toBeNull();
    expect(parseMax('')).toBeNull();
  });

  it('finds the cgroups that may limit CPU', () => {
    const found = controllers('3:cpu,cpuacct:/docker/a\n4:memory:/b\n0::/user.slice\n');
    expect(found.map(({ mount, path }) => `${mount} ${path}`)).toEqual([
      '/sys/fs/cgroup/cpu /docker/a',
      '/sys/fs/cgroup/cpu,cpuacct /docker/a',
      '/sys/fs/cgroup /user.slice',
      '/sys/fs/cgroup/unified /user.slice',
    ]);
  });
});

describe('readLogTail', () => {
  it('gives the last lines of this life only', async () => {
    const file = join(home, 'log');
    await writeFile(file, 'an earlier life\n');
    await appendFile(file, 'one\n\ntwo\n');
    expect(await readLogTail(file, 'an earlier life\n'.length)).toEqual(['one', 'two']);
  });

  it('is bounded, and starts at a whole line', async () => {
    const file = join(home, 'log');
    await writeFile(file, Array.from({ length: 2_000 }, (_, index) => `line ${index} ${'x'.repeat(600)}`).join('\n'));
    const lines = await readLogTail(file);
    expect(lines.length).toBeGreaterThan(5);
    expect(lines.every((line) => /^line \d+ x{600}$/.test(line))).toBe(true);
    expect(await readLogTail(join(home, 'none'))).toEqual([]);
  });
});

describe('ports', () => {
  it('gives a free one, outside the range of outgoing connections', async () => {
    const port = await freePort();
    expect(port).toBeGreaterThanOrEqual(20_000);
    expect(port).toBeLessThan(32_000);
    expect(await isFree(port)).toBe(true);
    const server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    expect(await isFree(port)).toBe(false);
    server.close();
  });
});

describe('Cleanup', () => {
  it('undoes the last first, goes on after a failure, and says what failed', async () => {
    const order: string[] = [];
    const cleanup = new Cleanup();
    for (const name of ['first', 'second', 'third']) {
      cleanup.add(name, () => {
        order.push(name);
        return name === 'second' ? Promise.reject(new Error('stuck')) : Promise.resolve();
      });
    }
    const both = await Promise.allSettled([cleanup.run(), cleanup.run()]);
    expect(order).toEqual(['third', 'second', 'first']);
    for (const outcome of both) expect(outcome).toMatchObject({ reason: { message: 'second: stuck' } });
  });
});

describe('openDataHome', () => {
  it.runIf(process.getuid?.() === 0)('names the folder that the server user cannot enter', async () => {
    vi.stubEnv('LOADLAB_DATA_DIR', join(home, 'data'));
    const user = { name: 'nobody', uid: 65_534, gid: 65_534 };
    await expect(openDataHome(user)).rejects.toThrow(`PostgreSQL runs as user nobody, who cannot enter ${home}`);
    await expect(openDataHome(null)).resolves.toBe(join(home, 'data'));
  });

  it('says where it cannot write', async () => {
    await writeFile(join(home, 'file'), '');
    vi.stubEnv('LOADLAB_DATA_DIR', join(home, 'file/data'));
    await expect(openDataHome(null)).rejects.toThrow(`cannot make the data folder ${join(home, 'file/data')}`);
  });
});

describe('a lock', () => {
  it('that was lost is released without a failure', async () => {
    const watchdog = { remove: () => undefined, keep: () => undefined } as unknown as Watchdog;
    const lines: string[] = [];
    const folder = await claimDataFolder(home, watchdog, (line) => lines.push(line), new AbortController().signal);
    await rm(home, { recursive: true });
    await expect.poll(() => lines.join(), { timeout: 15_000 }).toContain('is lost');
    await folder.release();
  });

  it('that cannot be released is a failure for any other reason', async () => {
    const refuse = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));
    await releaseLock(refuse('ENOTACQUIRED'));
    await expect(releaseLock(refuse('EACCES'))).rejects.toThrow('EACCES');
  });
});

describe('a question of the lab’s own', () => {
  it('that fails is the environment’s failure, and names the server', async () => {
    const asked = ownQuestion('Redis', () => Promise.reject(new Error('Command timed out')));
    await expect(asked).rejects.toMatchObject({
      code: 'ENVIRONMENT_FAILED',
      message: 'Redis did not answer the lab: Command timed out',
    });
  });
});

describe('small parts', () => {
  it('keep from a build what would change it', () => {
    vi.stubEnv('NODE_OPTIONS', '--inspect');
    vi.stubEnv('GOFLAGS', '-race');
    vi.stubEnv('GOPROXY', 'off');
    const environment = buildEnvironment();
    expect(environment).not.toHaveProperty('NODE_OPTIONS');
    expect(environment).not.toHaveProperty('GOFLAGS');
    expect(environment).toMatchObject({ GOPROXY: 'off' });
  });

  it('find programs', () => {
    expect(resolveCommand('/stack', ['dist/api', '-x'])).toEqual(['/stack/dist/api', '-x']);
    expect(resolveCommand('/stack', ['node', 'a/b.js'])).toEqual(['node', 'a/b.js']);
  });

  it('read INFO', () => {
    expect(infoField('# Stats\r\nkeyspace_hits:12\r\nkeyspace_misses:3\r\n', 'keyspace_misses')).toBe('3');
    expect(infoField('', 'keyspace_hits')).toBeNull();
  });
});
