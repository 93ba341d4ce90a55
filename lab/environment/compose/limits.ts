import type { HostConfig } from 'dockerode';
import type { Limits } from '../../model/result.ts';

/** Microseconds; the kernel's own where a container names none. */
const defaultPeriod = 100_000;

/** What a container may use, from what it was started with; the engine writes 0 or nothing where there is no limit. */
export function limitsOf(
  config: Pick<HostConfig, 'NanoCpus' | 'CpuQuota' | 'CpuPeriod' | 'Memory' | 'CpusetCpus'>,
): Limits {
  const { NanoCpus = 0, CpuQuota = 0, CpuPeriod = 0, Memory = 0, CpusetCpus = '' } = config;
  const cpus = NanoCpus > 0 ? NanoCpus / 1e9 : CpuQuota / (CpuPeriod > 0 ? CpuPeriod : defaultPeriod);
  return {
    cpus: cpus > 0 ? cpus : null,
    memoryBytes: Memory > 0 ? Memory : null,
    cpuset: CpusetCpus === '' ? null : CpusetCpus,
  };
}
