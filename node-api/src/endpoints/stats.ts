import { readFileSync } from 'node:fs';
import { ok, type Answer } from '../http/answer.ts';

const bytesPerKibibyte = 1024;

/** What the process has used so far. */
export function stats(): Answer {
  const usage = process.resourceUsage();
  const status = readStatus();
  return ok(
    JSON.stringify({
      pid: process.pid,
      cpuUserMicros: usage.userCPUTime,
      cpuSystemMicros: usage.systemCPUTime,
      residentBytes: process.memoryUsage.rss(),
      // The kernel's ru_maxrss would still hold the peak of whoever started the process.
      peakResidentBytes: (peakOf(status) ?? usage.maxRSS) * bytesPerKibibyte,
      threads: numberOf(status, 'Threads'),
    }),
  );
}

/** Linux tells of a process in /proc; elsewhere there is nothing to read, and absent is not zero. */
function readStatus(): string {
  return process.platform === 'linux' ? readFileSync('/proc/self/status', 'utf8') : '';
}

function peakOf(status: string): number | null {
  return numberOf(status, 'VmHWM');
}

function numberOf(status: string, name: string): number | null {
  const found = new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status);
  return found?.[1] === undefined ? null : Number(found[1]);
}
