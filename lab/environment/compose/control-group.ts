import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { UsageReading } from '../../model/environment.ts';

const nanosPerMs = 1e6;
const microsPerMs = 1e3;
/** USER_HZ, the unit of version 1's cpuacct.stat, is 100 on every Linux that Node.js runs on. */
const msPerTick = 10;

/** Where the kernel counts for one container, in files of this machine. */
export type ControlGroup =
  | { readonly version: 1; readonly cpuacct: string; readonly cpu: string; readonly memory: string | null }
  | { readonly version: 2; readonly folder: string };

/**
 * The control group of a container, from /proc/<pid>/cgroup of its first process; null where it is not this machine's kernel that
 * runs it (an engine in a virtual machine has other processes under the same numbers): the container's id must stand in it.
 */
export function controlGroupIn(text: string, containerId: string, root = '/sys/fs/cgroup'): ControlGroup | null {
  const paths = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, names = '', path = ''] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (!path.includes(containerId)) continue;
    for (const name of names.split(',')) paths.set(name, path);
  }
  const [cpuacct, cpu, memory, unified] = ['cpuacct', 'cpu', 'memory', ''].map((name) => paths.get(name));
  if (cpuacct !== undefined && cpu !== undefined) {
    return {
      version: 1,
      cpuacct: join(root, 'cpuacct', cpuacct),
      cpu: join(root, 'cpu', cpu),
      memory: memory === undefined ? null : join(root, 'memory', memory),
    };
  }
  return unified === undefined ? null : { version: 2, folder: join(root, unified) };
}

/** What the kernel has counted by now. Never rejects. */
export async function readControlGroup(group: ControlGroup, life: string): Promise<UsageReading> {
  const usage = group.version === 1 ? await readVersionOne(group) : await readVersionTwo(group.folder);
  return usage === null ? { unreadable: 'its control group is not there' } : { life, ...usage };
}

type Usage = Omit<Exclude<UsageReading, { readonly unreadable: string }>, 'life'>;

async function readVersionOne(group: Extract<ControlGroup, { version: 1 }>): Promise<Usage | null> {
  const [total, parts, quota, memory, pages] = await Promise.all([
    read(group.cpuacct, 'cpuacct.usage'),
    read(group.cpuacct, 'cpuacct.stat'),
    read(group.cpu, 'cpu.stat'),
    group.memory === null ? '' : read(group.memory, 'memory.usage_in_bytes'),
    group.memory === null ? '' : read(group.memory, 'memory.stat'),
  ]);
  const [nanos, user, system] = [whole(total), field(parts, 'user'), field(parts, 'system')];
  if (nanos === null || user === null || system === null) return null;
  return {
    cpuMs: nanos / nanosPerMs,
    cpuUserMs: user * msPerTick,
    cpuSystemMs: system * msPerTick,
    residentBytes: resident(whole(memory), field(pages, 'total_inactive_file')),
    throttledMs: scaled(field(quota, 'throttled_time'), nanosPerMs),
  };
}

async function readVersionTwo(folder: string): Promise<Usage | null> {
  const [cpu, memory, pages] = await Promise.all([
    read(folder, 'cpu.stat'),
    read(folder, 'memory.current'),
    read(folder, 'memory.stat'),
  ]);
  const [total, user, system] = ['usage_usec', 'user_usec', 'system_usec'].map((name) =>
    scaled(field(cpu, name), microsPerMs),
  );
  if (total == null || user == null || system == null) return null;
  return {
    cpuMs: total,
    cpuUserMs: user,
    cpuSystemMs: system,
    residentBytes: resident(whole(memory), field(pages, 'inactive_file')),
    throttledMs: scaled(field(cpu, 'throttled_usec'), microsPerMs),
  };
}

/** As `docker stats` shows it: without file pages that the kernel can drop at any time. */
function resident(usage: number | null, inactiveFile: number | null): number | null {
  return usage === null ? null : usage - (inactiveFile ?? 0);
}

function scaled(value: number | null, unit: number): number | null {
  return value === null ? null : value / unit;
}

function field(text: string, name: string): number | null {
  return whole(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? '');
}

function whole(text: string): number | null {
  return /^\d+\s*$/.test(text) ? Number(text) : null;
}

/** Empty: it is not there, or not any more. */
async function read(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8').catch(() => '');
}
