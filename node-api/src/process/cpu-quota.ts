import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** The content of a file; empty where there is none. */
type ReadFile = (path: string) => string;

/**
 * How many CPUs the control groups leave to this process (0.5: half of one), the smallest on the way up as far as it can
 * be seen; null without a quota, and where there are no control groups. `availableParallelism()` does not say: under a
 * quota of half a CPU it still counts all of them.
 */
export function cpuQuota(readFile: ReadFile = readIfThere): number | null {
  const quotas = controllers(readFile('/proc/self/cgroup')).flatMap(({ mount, path, read }) =>
    // In a container of version 1, and of version 2 with a namespace of its own, the mount's root is the container's
    // group, whatever the path says.
    foldersUpFrom(path).flatMap((folder) => parseQuota(read(posix.join(mount, folder), readFile)) ?? []),
  );
  return quotas.length === 0 ? null : Math.min(...quotas);
}

/** A place that may limit CPU: where the tree is mounted, and the path of this process in it. */
interface Controller {
  readonly mount: string;
  readonly path: string;
  /** Gives `quota period`, in microseconds. */
  readonly read: (folder: string, readFile: ReadFile) => string;
}

/** Reads /proc/<pid>/cgroup: `0::/path` is version 2, `1:cpu,cpuacct:/path` version 1. */
function controllers(text: string): Controller[] {
  return text.split('\n').flatMap((line): Controller[] => {
    const [, names, path] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
    if (names === undefined || path === undefined) return [];
    if (names === '') {
      return ['/sys/fs/cgroup', '/sys/fs/cgroup/unified'].map((mount) => ({ mount, path, read: readMax }));
    }
    if (!names.split(',').includes('cpu')) return [];
    return ['cpu', names].map((name) => ({ mount: `/sys/fs/cgroup/${name}`, path, read: readCfs }));
  });
}

function foldersUpFrom(path: string): string[] {
  return path === '/' ? [path] : [path, ...foldersUpFrom(posix.dirname(path))];
}

function readMax(folder: string, readFile: ReadFile): string {
  return readFile(posix.join(folder, 'cpu.max'));
}

function readCfs(folder: string, readFile: ReadFile): string {
  const [quota = '', period = ''] = ['quota', 'period'].map((name) =>
    readFile(posix.join(folder, `cpu.cfs_${name}_us`)),
  );
  return `${quota.trim()} ${period}`;
}

/** `50000 100000` is 0.5; `max 100000` and version 1's -1 are no quota. */
function parseQuota(text: string): number | null {
  const [, quota, period] = /^(\d+) ([1-9]\d*)\s*$/.exec(text) ?? [];
  return quota === undefined ? null : Number(quota) / Number(period);
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
