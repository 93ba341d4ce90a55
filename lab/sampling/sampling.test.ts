import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { difference, observe, readCounters } from './index.ts';
import { parseChildren, parseHostStat, parseStat, parseStatus, residentTogether, ticksPerSecond } from './proc.ts';

/** Recorded on Linux 6: a PostgreSQL backend, whose name holds spaces and parentheses. */
const recordedStat =
  '6592 (postgres: (a) b) S 6590 6592 6592 0 -1 4194560 5423 88123 0 3 41 17 230 95 20 0 1 0 215678 222437376 6989 ' +
  '18446744073709551615 1 1 0 0 0 0 4194304 19935232 84487 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0';
const recordedStatus = [
  'Name:\tpostgres',
  'VmHWM:\t   27956 kB',
  'VmRSS:\t   27956 kB',
  'RssAnon:\t    2004 kB',
  'RssFile:\t   18320 kB',
  'RssShmem:\t    7632 kB',
  'Threads:\t1',
].join('\n');
const recordedHost =
  'cpu  261013 5 42352 163092 992 7 3324 2556 0 0\ncpu0 130330 0 20359 82932 149 0 1453 1275 0 0\nintr 1';

describe('parsers', () => {
  it('counts the fields of stat from the last parenthesis', () => {
    expect(parseStat(recordedStat)).toEqual({
      state: 'S',
      userTicks: 41,
      systemTicks: 17,
      endedChildrenUserTicks: 230,
      endedChildrenSystemTicks: 95,
      threads: 1,
      startTicks: 215678,
    });
    expect(parseStat('')).toBeNull();
    expect(parseStat('1 (x) S 1 2')).toBeNull();
  });

  it('reads resident memory by kind, and null of a process that has ended', () => {
    expect(parseStatus(recordedStatus)).toEqual({
      anonymousBytes: 2004 * 1024,
      fileBytes: 18320 * 1024,
      sharedBytes: 7632 * 1024,
    });
    expect(parseStatus('Name:\tx\nState:\tZ (zombie)')).toBeNull();
  });

  it('does not count shared memory once a process', () => {
    const one = { anonymousBytes: 1, fileBytes: 10, sharedBytes: 100 };
    expect(residentTogether([one, one, { ...one, sharedBytes: 300 }])).toBe(3 + 10 + 300);
  });

  it('adds up the host over all cores', () => {
    expect(parseHostStat(recordedHost)).toEqual({
      busyTicks: 261013 + 5 + 42352 + 7 + 3324,
      idleTicks: 163092 + 992,
      stealTicks: 2556,
    });
    expect(parseHostStat('')).toBeNull();
  });

  it('reads lists of children', () => {
    expect(parseChildren('12 345 ')).toEqual([12, 345]);
    expect(parseChildren('')).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('knows the ticks of this kernel', () => {
    expect(Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))).toBe(ticksPerSecond);
  });
});

describe('readCounters and difference, on a made-up /proc', () => {
  let proc: string;
  beforeEach(async () => {
    proc = await mkdtemp(join(tmpdir(), 'loadlab-proc-'));
    await writeFile(join(proc, 'stat'), recordedHost);
  });
  afterEach(async () => {
    await rm(proc, { recursive: true, force: true });
  });

  interface Fake {
    user: number;
    system: number;
    endedUser?: number;
    endedSystem?: number;
    start?: number;
    children?: number[];
    state?: string;
  }
  async function put(
    pid: number,
    { user, system, endedUser = 0, endedSystem = 0, start = 7, children = [], state = 'S' }: Fake,
  ): Promise<void> {
    await mkdir(join(proc, `${pid}/task/${pid}`), { recursive: true });
    const zeros = (count: number): string => '0 '.repeat(count).trim();
    const stat = `${pid} (x) ${state} ${zeros(10)} ${user} ${system} ${endedUser} ${endedSystem} 20 0 1 0 ${start} ${zeros(5)}`;
    await writeFile(join(proc, `${pid}/stat`), stat);
    await writeFile(join(proc, `${pid}/status`), recordedStatus);
    await writeFile(join(proc, `${pid}/task/${pid}/children`), children.join(' '));
  }
  const tree = { db: { kind: 'process-tree', pid: 10 } } as const;

  it('keeps the time of a backend that ended, and counts one that came', async () => {
    await put(10, { user: 5, system: 1, children: [11, 12] });
    await put(11, { user: 20, system: 2 });
    await put(12, { user: 30, system: 3 });
    const before = readCounters(tree, proc);
    // 11 used 4 more, ended, and its parent inherited all it had used; 13 came and used 9.
    await put(10, { user: 6, system: 1, endedUser: 24, endedSystem: 2, children: [12, 13] });
    await rm(join(proc, '11'), { recursive: true });
    await put(12, { user: 31, system: 3 });
    await put(13, { user: 9, system: 0 });
    const { db } = difference(before, readCounters(tree, proc)).components;
    expect(db).toMatchObject({ cpuUserMs: (1 + 4 + 1 + 9) * 10, cpuSystemMs: 0, reason: null });
  });

  it('adds up root, children and grandchildren', async () => {
    await put(10, { user: 5, system: 1, children: [11] });
    await put(11, { user: 20, system: 2, children: [12] });
    await put(12, { user: 30, system: 3 });
    const before = readCounters(tree, proc);
    await put(10, { user: 6, system: 1, endedUser: 8, children: [11] });
    await put(12, { user: 32, system: 4 });
    expect(difference(before, readCounters(tree, proc)).components.db).toEqual({
      cpuUserMs: (1 + 8 + 2) * 10,
      cpuSystemMs: 10,
      residentBytes: (3 * 2004 + 18320 + 7632) * 1024,
      reason: null,
    });
  });

  it.each([
    ['another process has the pid', { user: 9, system: 9, start: 8 }, /pid 10 is another process/],
    ['time went backwards', { user: 1, system: 9 }, /went backwards/],
    ['it is a zombie', { user: 9, system: 9, state: 'Z' }, /at the end of the run: pid 10 has ended/],
  ])('gives null and the reason when %s', async (_, then, reason) => {
    const one = { api: { kind: 'process', pid: 10 } } as const;
    await put(10, { user: 5, system: 5 });
    const before = readCounters(one, proc);
    await put(10, then);
    const { api } = difference(before, readCounters(one, proc)).components;
    expect(api).toMatchObject({ cpuUserMs: null, cpuSystemMs: null, residentBytes: null });
    expect(api?.reason).toMatch(reason);
  });

  it('gives null and the reason when it vanished, was restarted, came or went', async () => {
    await put(10, { user: 5, system: 5 });
    await put(20, { user: 5, system: 5 });
    const before = readCounters(
      { a: { kind: 'process', pid: 10 }, b: { kind: 'process', pid: 10 }, gone: { kind: 'process', pid: 20 } },
      proc,
    );
    const after = readCounters(
      { a: { kind: 'process', pid: 99 }, b: { kind: 'process', pid: 20 }, came: { kind: 'process', pid: 20 } },
      proc,
    );
    const { a, b, gone, came } = difference(before, after).components;
    expect(a?.reason).toBe('at the end of the run: pid 99 has ended');
    expect(b?.reason).toBe('it was restarted during the run: pid 10, then 20');
    expect(gone?.reason).toBe('it was not there at the end of the run');
    expect(came?.reason).toBe('it was not there at the start of the run');
  });

  it('says so where there is no /proc', () => {
    const counters = readCounters(tree, join(proc, 'nowhere'));
    const sample = difference(counters, readCounters(tree, join(proc, 'nowhere')));
    expect(sample.host).toBeNull();
    expect(sample.components.db?.reason).toMatch(/Linux only/);
  });
});

describe.runIf(process.platform === 'linux')('on real processes', () => {
  it('sees the CPU that a child of a tree burns, while it lives and after it ended', async () => {
    const burn = 'const end = Date.now() + 300; while (Date.now() < end);';
    const parent = spawn(
      process.execPath,
      [
        '-e',
        `const { spawn } = require('node:child_process');
         const child = spawn(process.execPath, ['-e', ${JSON.stringify(burn)}]);
         child.on('exit', () => console.log('ended'));
         process.stdin.resume();`,
      ],
      { stdio: ['pipe', 'pipe', 'inherit'] },
    );
    try {
      await once(parent, 'spawn');
      const observation = await observe({ tree: { kind: 'process-tree', pid: parent.pid! } });
      await once(parent.stdout, 'data');
      const { components, elapsedMs, host } = await observation.end();
      const { cpuUserMs, residentBytes, reason } = components.tree!;
      expect(reason).toBeNull();
      // On a busy machine 300 ms of clock are less of CPU; without the child there would be some 40 ms.
      expect(cpuUserMs).toBeGreaterThan(70);
      expect(cpuUserMs).toBeLessThan(elapsedMs);
      expect(residentBytes).toBeGreaterThan(10_000_000);
      expect(host!.busyMs).toBeGreaterThan(0);
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('reads this process', () => {
    const counters = readCounters({ lab: { kind: 'process', pid: process.pid } });
    expect(counters.components.lab).toMatchObject({ pid: process.pid });
  });
});
