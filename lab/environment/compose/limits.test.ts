import { expect, test } from 'vitest';
import { limitsOf } from './limits.ts';

test.each([
  ['no limit at all', { NanoCpus: 0, CpuQuota: 0, CpuPeriod: 0, Memory: 0, CpusetCpus: '' }, [null, null, null]],
  ['nothing said', {}, [null, null, null]],
  ['cpus', { NanoCpus: 500_000_000 }, [0.5, null, null]],
  ['a quota and its period', { CpuQuota: 150_000, CpuPeriod: 50_000 }, [3, null, null]],
  ['a quota alone', { CpuQuota: 50_000 }, [0.5, null, null]],
  ['a quota that is none', { CpuQuota: -1, CpuPeriod: 100_000 }, [null, null, null]],
  ['memory and CPUs by number', { Memory: 1024, CpusetCpus: '0-1' }, [null, 1024, '0-1']],
] as const)('%s', (_, config, [cpus, memoryBytes, cpuset]) => {
  expect(limitsOf(config)).toEqual({ cpus, memoryBytes, cpuset });
});
