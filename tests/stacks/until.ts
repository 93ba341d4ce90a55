import { setTimeout as delay } from 'node:timers/promises';

/** For what cannot be awaited as an event; a bound against hanging, not a measurement. */
export const patienceMs = 15_000;

/**
 * Asks again and again until `look` yields something other than null, and returns it.
 * Throws after `limitMs`, saying `what` did not come and what was seen last.
 */
export async function until<T>(what: string, look: () => Promise<T | null>, limitMs = patienceMs): Promise<T> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${what}`);
    await delay(15);
  }
}

/** Rejects, saying `what` did not come, when `work` is not done within the bound. */
export async function within<T>(what: string, work: Promise<T>, limitMs = patienceMs): Promise<T> {
  const timer = new AbortController();
  const late = delay(limitMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(`not within ${limitMs} ms: ${what}`);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    late.catch(() => undefined);
    timer.abort();
  }
}
