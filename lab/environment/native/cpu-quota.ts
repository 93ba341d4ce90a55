import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * CPUs that cgroups allow a process (0.5: half of one), the smallest on the way up; null: no quota, or no cgroups.
 * Runtimes do not always say: under a quota of half a CPU both Go and Node report all of them.
 */
export async function cpuQuotaOf(pid: number | 'self'): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '');
  const quotas: number[] = [];
  for (const { mount, path, read } of controllers(text)) {
    for (let folder = path; ; folder = dirname(folder)) {
      const quota = await read(join(mount, folder));
      if (quota !== null) quotas.push(quota);
      if (folder === '/') break;
    }
  }
  return quotas.length > 0 ? Math.min(...quotas) : null;
}

interface Controller {
  readonly mount: string;
  readonly path: string;
  readonly read: (folder: string) => Promise<number | null>;
}

/** The cgroups that may limit CPU, from /proc/<pid>/cgroup: `0::/path` is version 2, `1:cpu,cpuacct:/path` version 1. */
export function controllers(text: string): Controller[] {
  return text.split('\n').flatMap((line) => {
    const match = /^\d+:([^:]*):(\/.*)$/.exec(line);
    if (!match) return [];
    const [, names = '', path = '/'] = match;
    if (names === '') {
      return ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].map((mount) => ({ mount, path, read: readMax }));
    }
    if (!names.split(',').includes('cpu')) return [];
    return ['cpu', names].map((name) => ({ mount: `/sys/fs/cgroup/${name}`, path, read: readQuota }));
  });
}

async function readMax(folder: string): Promise<number | null> {
  return parseMax(await readFile(join(folder, 'cpu.max'), 'utf8').catch(() => ''));
}

async function readQuota(folder: string): Promise<number | null> {
  const [quota, period] = await Promise.all(
    ['cpu.cfs_quota_us', 'cpu.cfs_period_us'].map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  );
  return parseMax(`${quota?.trim() ?? ''} ${period?.trim() ?? ''}`);
}

/** `50000 100000` (µs per period) is 0.5; `max 100000` and version 1's `-1` are no quota. */
export function parseMax(text: string): number | null {
  const match = /^(\d+) (\d+)\s*$/.exec(text);
  return match ? Number(match[1]) / Number(match[2]) : null;
}
