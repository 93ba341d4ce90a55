import { expect, it } from 'vitest';
import { cpuQuota } from './cpu-quota.ts';

const v1 = '4:memory:/docker/c\n3:cpu,cpuacct:/docker/c\n';
const v2 = '0::/user.slice/lab\n';

it.each<[string, string, Record<string, string>, number | null]>([
  ['no control groups', '', {}, null],
  ['a line that is none', 'nonsense\n7\n', {}, null],
  ['version 2 without a quota', v2, { '/user.slice/lab/cpu.max': 'max 100000\n' }, null],
  ['version 2', v2, { '/user.slice/lab/cpu.max': '150000 100000\n' }, 1.5],
  [
    'version 2, less above',
    v2,
    { '/user.slice/lab/cpu.max': '150000 100000\n', '/user.slice/cpu.max': '50000 100000\n' },
    0.5,
  ],
  ['version 2, a container’s own root', '0::/\n', { '/cpu.max': '20000 100000\n' }, 0.2],
  ['version 2 beside version 1', v2, { '/unified/user.slice/cpu.max': '10000 40000\n' }, 0.25],
  ['version 1 without a quota', v1, { '/cpu/cpu.cfs_quota_us': '-1\n', '/cpu/cpu.cfs_period_us': '100000\n' }, null],
  [
    'version 1, a container’s own root',
    v1,
    { '/cpu/cpu.cfs_quota_us': '200000\n', '/cpu/cpu.cfs_period_us': '100000\n' },
    2,
  ],
  [
    'version 1, mounted by its full name',
    v1,
    {
      '/cpu,cpuacct/docker/c/cpu.cfs_quota_us': '50000\n',
      '/cpu,cpuacct/docker/c/cpu.cfs_period_us': '100000\n',
    },
    0.5,
  ],
  ['version 1 without its period', v1, { '/cpu/cpu.cfs_quota_us': '50000\n' }, null],
  ['a period of nothing', v2, { '/cpu.max': '50000 0\n' }, null],
])('%s', (_, cgroups, files, expected) => {
  const read = (path: string): string =>
    path === '/proc/self/cgroup' ? cgroups : (files[path.replace(/^\/sys\/fs\/cgroup/, '')] ?? '');
  expect(cpuQuota(read)).toBe(expected);
});
