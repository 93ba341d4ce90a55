import type { ContainerStats } from 'dockerode';
import type { UsageReading } from '../../model/environment.ts';

const nanosPerMs = 1e6;

/**
 * A container's counters from what the engine answers to `stats?one-shot=true`. `life` names the life of the container that they
 * belong to. The engine answers zeros, at the time of the year 1, for a container that it has not read yet or that has ended.
 */
export function usageOf(stats: ContainerStats, life: string): UsageReading {
  const { cpu_stats: cpu, memory_stats: memory } = stats;
  const total = cpu.cpu_usage.total_usage;
  if (stats.read.startsWith('0001-') || !(total > 0)) return { unreadable: 'the engine has no reading of it yet' };
  const { usage_in_usermode: user, usage_in_kernelmode: system } = cpu.cpu_usage;
  return {
    life,
    cpuMs: total / nanosPerMs,
    // Version 1 control groups count the total in nanoseconds, and its two parts in ticks of 10 ms.
    cpuUserMs: user / nanosPerMs,
    cpuSystemMs: system / nanosPerMs,
    residentBytes: residentBytes(memory),
    throttledMs: inMs((cpu.throttling_data as { throttled_time?: number }).throttled_time),
  };
}

interface MemoryStats {
  readonly usage?: number;
  readonly stats?: Readonly<Record<string, number>>;
}

/** As `docker stats` shows it: without file pages that the kernel can drop at any time. */
function residentBytes({ usage, stats = {} }: MemoryStats): number | null {
  if (usage === undefined) return null;
  return usage - (stats.total_inactive_file ?? stats.inactive_file ?? 0);
}

function inMs(nanos: number | undefined): number | null {
  return nanos === undefined ? null : nanos / nanosPerMs;
}
