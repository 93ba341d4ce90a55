import type { ContainerStats } from 'dockerode';
import { expect, test } from 'vitest';
import { usageOf } from './usage.ts';

/** As an engine with control groups of version 1 answers, shortened. */
const versionOne = {
  read: '2026-11-30T21:18:51.105Z',
  cpu_stats: {
    cpu_usage: { total_usage: 1_234_567_890, usage_in_kernelmode: 400_000_000, usage_in_usermode: 800_000_000 },
    throttling_data: { periods: 12, throttled_periods: 3, throttled_time: 45_600_000 },
  },
  memory_stats: { usage: 60_000_000, stats: { total_inactive_file: 10_000_000, inactive_file: 1 } },
};

const asStats = (stats: object): ContainerStats => stats as ContainerStats;

test('nanoseconds become milliseconds, and memory is what docker stats shows', () => {
  expect(usageOf(asStats(versionOne), 'life')).toEqual({
    life: 'life',
    cpuMs: 1234.56789,
    cpuUserMs: 800,
    cpuSystemMs: 400,
    residentBytes: 50_000_000,
    throttledMs: 45.6,
  });
});

test('version 2 calls its inactive files otherwise', () => {
  const stats = { ...versionOne, memory_stats: { usage: 60_000_000, stats: { inactive_file: 20_000_000 } } };
  expect(usageOf(asStats(stats), 'life')).toMatchObject({ residentBytes: 40_000_000 });
});

test('what the engine leaves out is null', () => {
  const { cpu_usage } = versionOne.cpu_stats;
  const stats = { ...versionOne, cpu_stats: { cpu_usage, throttling_data: {} }, memory_stats: {} };
  expect(usageOf(asStats(stats), 'life')).toMatchObject({ residentBytes: null, throttledMs: null });
});

test.each([
  ['of a container that has ended', { ...versionOne, read: '0001-01-01T00:00:00Z' }],
  [
    'that comes first, before anything was counted',
    { ...versionOne, cpu_stats: { ...versionOne.cpu_stats, cpu_usage: { total_usage: 0 } } },
  ],
])('the answer %s is no reading', (_, stats) => {
  expect(usageOf(asStats(stats), 'life')).toEqual({ unreadable: expect.stringContaining('no reading') as string });
});
