import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { controlGroupIn, readControlGroup } from './control-group.ts';

const id = '25cc0208dc7d';
const versionOne = `9:name=systemd:/docker/${id}\n4:memory:/docker/${id}\n3:cpu,cpuacct:/docker/${id}\n0::/docker/${id}\n`;
const versionTwo = `0::/system.slice/docker-${id}.scope\n`;

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'loadlab-groups-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}

test('a process that is not in the container’s group is another one', () => {
  expect(controlGroupIn('0::/user.slice/session-1.scope\n', id)).toBeNull();
  expect(controlGroupIn('', id)).toBeNull();
});

describe('version 1', () => {
  const files = {
    [`cpuacct/docker/${id}/cpuacct.usage`]: '32252684\n',
    [`cpuacct/docker/${id}/cpuacct.stat`]: 'user 2\nsystem 1\n',
    [`cpu/docker/${id}/cpu.stat`]: 'nr_periods 5\nnr_throttled 1\nthrottled_time 4500000\n',
    [`memory/docker/${id}/memory.usage_in_bytes`]: '5865472\n',
    [`memory/docker/${id}/memory.stat`]: 'inactive_file 1\ntotal_inactive_file 49152\n',
  };

  test('counts nanoseconds, ticks and bytes', async () => {
    const group = controlGroupIn(versionOne, id, await folderWith(files))!;
    expect(await readControlGroup(group, 'life')).toEqual({
      life: 'life',
      cpuMs: 32.252684,
      cpuUserMs: 20,
      cpuSystemMs: 10,
      residentBytes: 5_816_320,
      throttledMs: 4.5,
    });
  });

  test('without memory or a quota, these are null and the rest stands', async () => {
    const group = controlGroupIn(
      versionOne,
      id,
      await folderWith(Object.fromEntries(Object.entries(files).slice(0, 2))),
    )!;
    expect(await readControlGroup(group, 'life')).toMatchObject({
      cpuUserMs: 20,
      residentBytes: null,
      throttledMs: null,
    });
  });
});

describe('version 2', () => {
  test('counts microseconds and bytes', async () => {
    const folder = `system.slice/docker-${id}.scope`;
    const root = await folderWith({
      [`${folder}/cpu.stat`]: 'usage_usec 32253\nuser_usec 20000\nsystem_usec 12253\nthrottled_usec 4500\n',
      [`${folder}/memory.current`]: '5865472\n',
      [`${folder}/memory.stat`]: 'anon 1\ninactive_file 49152\n',
    });
    expect(await readControlGroup(controlGroupIn(versionTwo, id, root)!, 'life')).toEqual({
      life: 'life',
      cpuMs: 32.253,
      cpuUserMs: 20,
      cpuSystemMs: 12.253,
      residentBytes: 5_816_320,
      throttledMs: 4.5,
    });
  });
});

test('a group that has gone is no reading', async () => {
  const group = controlGroupIn(versionTwo, id, await folderWith({}))!;
  expect(await readControlGroup(group, 'life')).toMatchObject({
    unreadable: expect.stringContaining('not there') as string,
  });
});
