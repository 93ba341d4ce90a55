/** Pure parsers of Linux' /proc. Times are in ticks of 10 ms, memory in bytes. */

/**
 * Ticks a second in /proc (USER_HZ, `getconf CLK_TCK`): 100 on every architecture that Node.js is built for, whatever
 * the kernel's own HZ. Source: proc_pid_stat(5), time(7).
 */
export const ticksPerSecond = 100;

export interface ProcessStat {
  /** `Z` is a process that has ended and was not waited for yet. */
  readonly state: string;
  readonly userTicks: number;
  readonly systemTicks: number;
  /** Of children that have ended and were waited for, and theirs. */
  readonly endedChildrenUserTicks: number;
  readonly endedChildrenSystemTicks: number;
  readonly threads: number;
  /** Since boot: together with the pid it names a process for good. */
  readonly startTicks: number;
}

/** /proc/<pid>/stat; null for a text that is not one. The name may hold spaces and parentheses: fields count from the last `)`. */
export function parseStat(text: string): ProcessStat | null {
  const fields = text
    .slice(text.lastIndexOf(')') + 1)
    .trim()
    .split(/\s+/);
  const [state] = fields;
  // proc_pid_stat(5) counts from 1 with pid; state is field 3 and the first one here.
  const [userTicks, systemTicks, endedChildrenUserTicks, endedChildrenSystemTicks, threads, startTicks] = [
    14, 15, 16, 17, 20, 22,
  ].map((field) => Number(fields[field - 3])) as [number, number, number, number, number, number];
  const numbers = { userTicks, systemTicks, endedChildrenUserTicks, endedChildrenSystemTicks, threads, startTicks };
  if (state === undefined || Object.values(numbers).some((value) => !Number.isInteger(value))) return null;
  return { state, ...numbers };
}

/** Resident memory by what it is: private pages, mapped files (programs, libraries), shared memory. */
export interface ResidentMemory {
  readonly anonymousBytes: number;
  readonly fileBytes: number;
  readonly sharedBytes: number;
}

const statusLines = /^RssAnon:\s+(\d+) kB\nRssFile:\s+(\d+) kB\nRssShmem:\s+(\d+) kB$/m;

/** /proc/<pid>/status; null where it has no such lines (a process that has ended, a kernel before 4.5). */
export function parseStatus(text: string): ResidentMemory | null {
  const match = statusLines.exec(text);
  if (match === null) return null;
  const [anonymousBytes, fileBytes, sharedBytes] = [1, 2, 3].map((group) => Number(match[group]) * 1024) as [
    number,
    number,
    number,
  ];
  return { anonymousBytes, fileBytes, sharedBytes };
}

/**
 * Resident memory of processes together, without counting twice what they share: all private pages, and the largest
 * mapping of files and of shared memory. (PostgreSQL's backends all map the same shared_buffers.)
 */
export function residentTogether(processes: readonly ResidentMemory[]): number {
  const anonymous = processes.reduce((sum, { anonymousBytes }) => sum + anonymousBytes, 0);
  const largest = (key: 'fileBytes' | 'sharedBytes'): number => Math.max(0, ...processes.map((memory) => memory[key]));
  return anonymous + largest('fileBytes') + largest('sharedBytes');
}

export interface HostTicks {
  readonly busyTicks: number;
  readonly idleTicks: number;
  readonly stealTicks: number;
}

/** First line of /proc/stat, over all cores; null for a text that is not one. Guest time is part of user time there. */
export function parseHostStat(text: string): HostTicks | null {
  const match = /^cpu +([\d ]+)$/m.exec(text);
  const [user, nice, system, idle, ioWait, irq, softIrq, steal] = (match?.[1] ?? '').trim().split(/ +/).map(Number);
  if (user === undefined || nice === undefined || system === undefined || idle === undefined) return null;
  return {
    busyTicks: user + nice + system + (irq ?? 0) + (softIrq ?? 0),
    idleTicks: idle + (ioWait ?? 0),
    stealTicks: steal ?? 0,
  };
}

/** /proc/<pid>/task/<tid>/children: pids, separated by spaces. */
export function parseChildren(text: string): number[] {
  return text
    .split(' ')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && pid > 0);
}
