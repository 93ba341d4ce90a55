import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Watchdog } from './watchdog.ts';

let home: string;
let watchdog: Watchdog;
const started: ChildProcess[] = [];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'loadlab watchdog-'));
  watchdog = await Watchdog.start(() => undefined);
});
afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  await rm(home, { recursive: true, force: true });
});

/** A shell in a session of its own that runs `script`, and its end. */
async function server(script: string): Promise<{ pid: number; ended: Promise<string> }> {
  const child = spawn('/bin/sh', ['-c', `${script}\necho ready; while :; do sleep 1; done`], {
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  started.push(child);
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code));
  await once(child.stdout, 'data');
  return { pid: child.pid!, ended };
}

/** Zombies aside: whoever inherits them may take a while to look. */
function runningInGroup(group: number): string[] {
  const lines = execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => new RegExp(`^\\s*${group}\\s+[^Z]`).test(line));
}

describe('the watchdog, when its pipe closes', () => {
  it('asks politely first, with the signal that was named', async () => {
    const one = await server(`trap 'exit 41' TERM`);
    const two = await server(`trap 'exit 42' INT`);
    watchdog.watch(one.pid, 'TERM');
    watchdog.watch(two.pid, 'INT');
    await watchdog.stop();
    expect(await Promise.all([one.ended, two.ended])).toEqual(['41', '42']);
  });

  it('kills the whole group of one that does not listen', async () => {
    const deaf = await server(`trap '' TERM; sleep 600 &`);
    watchdog.watch(deaf.pid, 'TERM');
    await watchdog.stop();
    expect(await deaf.ended).toBe('SIGKILL');
    await expect.poll(() => runningInGroup(deaf.pid)).toEqual([]);
  });

  it('leaves alone what was released', async () => {
    const [kept, gone] = [await server(':'), await server(':')];
    for (const { pid } of [kept, gone]) watchdog.watch(pid, 'TERM');
    watchdog.release(kept.pid);
    await watchdog.stop();
    expect(await gone.ended).toBe('SIGTERM');
    expect(process.kill(kept.pid, 0)).toBe(true);
  });

  it('removes folders, whatever their names, but for those to keep', async () => {
    const names = ['one two', 'three $(x)', 'kept  twice', '-rf'];
    for (const name of names) {
      await mkdir(join(home, name, 'inner'), { recursive: true });
      watchdog.remove(join(home, name));
    }
    watchdog.keep(join(home, 'kept  twice'));
    await watchdog.stop();
    expect(names.filter((name) => existsSync(join(home, name)))).toEqual(['kept  twice']);
  });

  it('stops when there is nothing to do, also twice', async () => {
    await Promise.all([watchdog.stop(), watchdog.stop()]);
    expect(() => process.kill(watchdog.pid!, 0)).toThrow(/ESRCH/);
  });
});
