import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import type { ProcessHandle } from '../model/environment.ts';
import {
  parseChildren,
  parseHostStat,
  parseStat,
  parseStatus,
  residentTogether,
  type HostTicks,
  type ProcessStat,
  type ResidentMemory,
} from './proc.ts';

/** What a component has used since it was started. */
export interface ComponentCounters {
  readonly pid: number;
  readonly startTicks: number;
  readonly userTicks: number;
  readonly systemTicks: number;
  /** null where the kernel does not say. */
  readonly residentBytes: number | null;
}

/** A component that could not be read, and why. */
export interface Unreadable {
  readonly unreadable: string;
}

/** All components at one moment. */
export interface Counters {
  /** On a clock that only goes forward. */
  readonly atMs: number;
  readonly components: Readonly<Record<string, ComponentCounters | Unreadable>>;
  readonly host: HostTicks | null;
}

interface Descendant {
  readonly stat: ProcessStat;
  /** null: it has ended since. */
  readonly memory: ResidentMemory | null;
}

/** A process that ends while its tree is read makes it read again, but not for ever. */
const treeTries = 3;

/**
 * Reads every component now. Synchronous on purpose: nothing else of the lab runs in between, so that all are read
 * within a few milliseconds. `proc` is where /proc is.
 */
export function readCounters(components: Readonly<Record<string, ProcessHandle>>, proc = '/proc'): Counters {
  const host = parseHostStat(read(`${proc}/stat`) ?? '');
  const readings = Object.entries(components).map(([name, handle]) => [
    name,
    host === null
      ? { unreadable: 'there is no /proc: CPU and memory are read on Linux only' }
      : readComponent(handle, proc),
  ]);
  return {
    atMs: performance.now(),
    components: Object.fromEntries(readings) as Counters['components'],
    host,
  };
}

function readComponent({ kind, pid }: ProcessHandle, proc: string): ComponentCounters | Unreadable {
  if (kind === 'process') {
    const stat = readStat(pid, proc);
    if (stat === null || stat.state === 'Z') return ended(pid);
    const { userTicks, systemTicks, startTicks } = stat;
    return { pid, startTicks, userTicks, systemTicks, residentBytes: together([readMemory(pid, proc)]) };
  }
  for (let attempt = 1; ; attempt += 1) {
    const tree = readTree(pid, proc);
    if (tree !== 'changed') return tree;
    if (attempt === treeTries) return { unreadable: `the children of pid ${pid} come and go too fast to be read` };
  }
}

/**
 * CPU of a tree is that of its live processes plus what each has inherited from children that ended. A child that ends
 * between the readings of itself and of its parent would count twice or not at all: the root's inheritance, read before
 * and after, shows it.
 */
function readTree(root: number, proc: string): ComponentCounters | Unreadable | 'changed' {
  const first = readStat(root, proc);
  if (first === null || first.state === 'Z') return ended(root);
  const live = findDescendants(root, first, proc);
  if (live === null) return { unreadable: 'the kernel does not list children (CONFIG_PROC_CHILDREN)' };
  const last = readStat(root, proc);
  if (last === null) return ended(root);
  if (inherited(first) !== inherited(last)) return 'changed';
  const stats = [last, ...live.map(({ stat }) => stat)];
  const sum = (of: (stat: ProcessStat) => number): number => stats.reduce((total, stat) => total + of(stat), 0);
  // A child that has just gone has no memory any more; the root must have some.
  const memories = [readMemory(root, proc), ...live.map(({ memory }) => memory).filter((memory) => memory !== null)];
  return {
    pid: root,
    startTicks: last.startTicks,
    userTicks: sum((stat) => stat.userTicks + stat.endedChildrenUserTicks),
    systemTicks: sum((stat) => stat.systemTicks + stat.endedChildrenSystemTicks),
    residentBytes: together(memories),
  };
}

function inherited(stat: ProcessStat): number {
  return stat.endedChildrenUserTicks + stat.endedChildrenSystemTicks;
}

/** null: the kernel does not list them. */
function findDescendants(root: number, rootStat: ProcessStat, proc: string): Descendant[] | null {
  const found: Descendant[] = [];
  const open: { pid: number; stat: ProcessStat }[] = [{ pid: root, stat: rootStat }];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const children = childrenOf(parent.pid, parent.stat, proc);
    // Only of the root is it known that it was there a moment ago.
    if (children === null && parent.pid === root) return null;
    for (const pid of children ?? []) {
      const stat = readStat(pid, proc);
      if (stat === null) continue;
      found.push({ stat, memory: readMemory(pid, proc) });
      open.push({ pid, stat });
    }
  }
  return found;
}

/** Children belong to the thread that started them. */
function childrenOf(pid: number, stat: ProcessStat, proc: string): number[] | null {
  const threads = stat.threads === 1 ? [String(pid)] : list(`${proc}/${pid}/task`);
  const lists = threads.map((thread) => read(`${proc}/${pid}/task/${thread}/children`));
  if (lists.every((list) => list === null)) return null;
  return lists.flatMap((list) => parseChildren(list ?? ''));
}

function together(memories: readonly (ResidentMemory | null)[]): number | null {
  const known = memories.filter((memory) => memory !== null);
  return known.length === memories.length ? residentTogether(known) : null;
}

function readStat(pid: number, proc: string): ProcessStat | null {
  return parseStat(read(`${proc}/${pid}/stat`) ?? '');
}

function readMemory(pid: number, proc: string): ResidentMemory | null {
  return parseStatus(read(`${proc}/${pid}/status`) ?? '');
}

function ended(pid: number): Unreadable {
  return { unreadable: `pid ${pid} has ended` };
}

/** Empty: it is not there any more. */
function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const buffer = Buffer.allocUnsafe(65_536);

/**
 * null: it is not there, which for a process means that it has ended. A third cheaper than readFileSync, which asks for
 * a size first that files in /proc do not have; a tree of 50 backends is 150 files.
 */
function read(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    let length = 0;
    for (let count = -1; count !== 0 && length < buffer.length; length += count) {
      count = readSync(file, buffer, length, buffer.length - length, null);
    }
    return buffer.toString('latin1', 0, length);
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}
