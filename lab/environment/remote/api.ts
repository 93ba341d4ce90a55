import type { AskedHandle, UsageReading } from '../../model/environment.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import { limitTo } from '../limit.ts';
import { pause } from '../pause.ts';
import { askHealth } from '../servers/health.ts';
import { askReady, type ExpectedApi } from '../servers/ready.ts';
import { askStats, type Stats } from '../servers/stats.ts';

/** A server that was started by somebody else is there or not: it need not be waited for as long as one's own. */
const readyLimitMs = 10_000;
const pollMs = 200;
/** Connections of their own reach every process in turn where several share a port or stand behind a balancer. */
const looksForOthers = 3;

/** An API that somebody else has started, and that stays the same process. */
export class RemoteApi {
  readonly variant: string;
  readonly baseUrl: string;
  readonly stack: string;
  /** What it last said of itself; null: several processes answer, or it does not say. */
  #last: Stats | null;
  readonly #whyUnknown: string;

  private constructor(variant: string, { baseUrl, stack }: ExpectedApi, last: Stats | null, whyUnknown: string) {
    this.variant = variant;
    this.baseUrl = baseUrl;
    this.stack = stack.manifest.id;
    this.#last = last;
    this.#whyUnknown = whyUnknown;
  }

  /**
   * Waits until the API is ready and is what it should be. Throws a LabError ENVIRONMENT_FAILED after 10 s, NOT_OURS at once for
   * another stack or seed, each in one line with its URL, or the signal's reason.
   */
  static async open(variant: string, expected: ExpectedApi, signal: AbortSignal): Promise<RemoteApi> {
    await waitUntilReady(variant, expected, signal);
    try {
      const [first, ...others] = await severalLooks(expected.baseUrl, signal);
      if (first === undefined || others.some(({ pid }) => pid !== first.pid)) {
        return new RemoteApi(variant, expected, null, `several processes answer at ${expected.baseUrl}`);
      }
      return new RemoteApi(variant, expected, others.at(-1) ?? first, '');
    } catch (error) {
      signal.throwIfAborted();
      return new RemoteApi(variant, expected, null, `${expected.baseUrl}/stats: ${messageOf(error)}`);
    }
  }

  /** Why it cannot be told from another process, and its CPU is not known; null: both are. */
  get unknown(): string | null {
    return this.#last === null ? this.#whyUnknown : null;
  }

  /** Its own word on what it has used. */
  handle(signal: AbortSignal): AskedHandle {
    const read = async (): Promise<UsageReading> => {
      if (this.unknown !== null) return { unreadable: this.unknown };
      try {
        const { pid, cpuUserMicros, cpuSystemMicros, residentBytes } = await askStats(this.baseUrl, signal);
        const [cpuUserMs, cpuSystemMs] = [cpuUserMicros / 1000, cpuSystemMicros / 1000];
        return {
          life: String(pid),
          cpuMs: cpuUserMs + cpuSystemMs,
          cpuUserMs,
          cpuSystemMs,
          residentBytes,
          throttledMs: null,
        };
      } catch (error) {
        return { unreadable: `${this.baseUrl}/stats: ${messageOf(error)}` };
      }
    };
    // How many CPUs its machine has, it does not say.
    return { kind: 'asked', read, cores: null };
  }

  /**
   * Throws a LabError SERVER_DIED when it does not answer for 10 s, or is no longer the process that it was: a new one is cold,
   * and another life than the one that the rounds before were of.
   */
  async mustStillBeThere(signal: AbortSignal): Promise<void> {
    if (this.#last === null) {
      await this.#patiently((limit) => askHealth(this.baseUrl, false, limit), signal);
      return;
    }
    const now = await this.#patiently((limit) => askStats(this.baseUrl, limit), signal);
    if (now.pid !== this.#last.pid || cpuOf(now) < cpuOf(this.#last)) {
      throw new LabError(
        'SERVER_DIED',
        `${this.baseUrl} (variant ${this.variant}) was restarted: pid ${this.#last.pid} before, ${now.pid} now`,
        'Look into its log; what was measured until then is kept.',
      );
    }
    this.#last = now;
  }

  /** Whether both are one process, whatever their URLs: the counters of one lie between two looks at the other. */
  async isSameProcess(other: RemoteApi, signal: AbortSignal): Promise<boolean> {
    if (this.stack !== other.stack || this.#last === null || this.#last.pid !== other.#last?.pid) return false;
    const before = await askStats(this.baseUrl, signal);
    const between = await askStats(other.baseUrl, signal);
    const after = await askStats(this.baseUrl, signal);
    const counters = ['cpuUserMicros', 'cpuSystemMicros', 'peakResidentBytes'] as const;
    return counters.every((name) => before[name] <= between[name] && between[name] <= after[name]);
  }

  async #patiently<T>(ask: (limit: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> {
    const limit = limitTo(readyLimitMs, signal);
    const isOver = (): boolean => limit.aborted;
    let last = 'no answer';
    while (!isOver()) {
      try {
        return await ask(limit);
      } catch (error) {
        // The limit itself explains nothing.
        if (!isOver()) last = messageOf(error);
        await pause(pollMs, limit).catch(() => undefined);
      }
    }
    signal.throwIfAborted();
    throw new LabError(
      'SERVER_DIED',
      `${this.baseUrl} (variant ${this.variant}) does not answer any more: ${last}`,
      'Look into its log; what was measured until then is kept.',
    );
  }
}

async function waitUntilReady(variant: string, expected: ExpectedApi, signal: AbortSignal): Promise<void> {
  const { baseUrl } = expected;
  const limit = limitTo(readyLimitMs, signal);
  const isOver = (): boolean => limit.aborted;
  let last = 'it does not answer';
  while (!isOver()) {
    const readiness = await askReady(expected, limit).catch((error: unknown) => {
      throw new LabError('NOT_OURS', `${baseUrl} (variant ${variant}): ${messageOf(error)}`, hintFor(variant));
    });
    if (readiness.state === 'ready') return;
    if (readiness.state === 'not-yet' && !isOver()) last = readiness.why;
    await pause(pollMs, limit).catch(() => undefined);
  }
  signal.throwIfAborted();
  throw new LabError(
    'ENVIRONMENT_FAILED',
    `${baseUrl} (variant ${variant}) was not ready within ${readyLimitMs / 1000} s: ${last}`,
    `Try: curl '${baseUrl}/health?ready=1'`,
  );
}

async function severalLooks(baseUrl: string, signal: AbortSignal): Promise<Stats[]> {
  const looks: Stats[] = [];
  while (looks.length < looksForOthers) looks.push(await askStats(baseUrl, signal));
  return looks;
}

function hintFor(variant: string): string {
  return `Start it from the same clone as this lab, and give its URL for ${variant}.`;
}

function cpuOf({ cpuUserMicros, cpuSystemMicros }: Stats): number {
  return cpuUserMicros + cpuSystemMicros;
}
