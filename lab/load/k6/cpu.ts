/**
 * What one run of k6 cost. k6 is a process of its own for each run, so its cost must be had at the moment it ends:
 * the kernel adds a child's CPU time to its parent's "children" figures when the parent reaps it, and those are exact, down to
 * the clock tick, as long as nothing else is reaped in between. While k6 lives its own figures are read now and then; they
 * bound the exact one from below, and show when another child's time was mixed in.
 */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

export interface CpuTime {
  readonly userMs: number;
  readonly systemMs: number;
}

export interface ProcessCost extends CpuTime {
  /** Largest resident memory that was seen; null when none was read. */
  readonly peakResidentBytes: number | null;
}

/** USER_HZ, the unit of /proc/<pid>/stat, is 100 on every Linux that Node.js runs on (`getconf CLK_TCK`). */
const msPerTick = 10;
const readingIntervalMs = 100;

/** Own CPU time and that of reaped children, from the text of /proc/<pid>/stat. Throws an Error when it is another text. */
export function parseStat(text: string): { own: CpuTime; reapedChildren: CpuTime } {
  // The second field is the program's name in parentheses, which may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [utime, stime, cutime, cstime] = fields.slice(11, 15).map((field) => Number(field) * msPerTick);
  if (utime === undefined || stime === undefined || cutime === undefined || cstime === undefined) {
    throw new Error(`not a /proc/<pid>/stat: ${text.slice(0, 80)}`);
  }
  return {
    own: { userMs: utime, systemMs: stime },
    reapedChildren: { userMs: cutime, systemMs: cstime },
  };
}

/** VmHWM of /proc/<pid>/status in bytes; null where there is none. */
export function parsePeakResident(text: string): number | null {
  const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1];
  return kilobytes === undefined ? null : Number(kilobytes) * 1024;
}

/** A file of /proc; null where it is not: on another system, or because the process has ended. */
function readProc(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

const total = (time: CpuTime): number => time.userMs + time.systemMs;

/**
 * The run's CPU time: the exact difference, unless it exceeds what the last reading and all cores at full use since then can
 * explain. Then another child was reaped meanwhile, and the last reading is the better figure.
 */
export function settleCpu(exact: CpuTime, last: CpuTime | null, sinceLastMs: number, cores: number): CpuTime {
  const slackMs = 2 * msPerTick;
  if (last === null || total(exact) <= total(last) + sinceLastMs * cores + slackMs) return exact;
  return last;
}

/** Begins to account for a child that is about to be started. */
export function accountForChild(): {
  /** Call when the child runs. */
  watch(pid: number): void;
  /** Call when the child has been reaped. Null where /proc is not there. */
  settle(): ProcessCost | null;
} {
  const before = readProc('/proc/self/stat');
  let last: CpuTime | null = null;
  let lastAt = performance.now();
  let peakResidentBytes: number | null = null;
  let timer: NodeJS.Timeout | undefined;

  function read(pid: number): void {
    const stat = readProc(`/proc/${pid}/stat`);
    const status = readProc(`/proc/${pid}/status`);
    if (stat !== null) {
      last = parseStat(stat).own;
      lastAt = performance.now();
    }
    if (status !== null) peakResidentBytes = parsePeakResident(status) ?? peakResidentBytes;
  }

  return {
    watch(pid) {
      lastAt = performance.now();
      timer = setInterval(() => {
        read(pid);
      }, readingIntervalMs);
      timer.unref();
    },
    settle() {
      clearInterval(timer);
      const after = readProc('/proc/self/stat');
      if (before === null || after === null) return null;
      const [start, end] = [parseStat(before).reapedChildren, parseStat(after).reapedChildren];
      const exact = { userMs: end.userMs - start.userMs, systemMs: end.systemMs - start.systemMs };
      const settled = settleCpu(exact, last, performance.now() - lastAt, availableParallelism());
      return { ...settled, peakResidentBytes };
    },
  };
}
