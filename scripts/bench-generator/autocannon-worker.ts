import autocannon from 'autocannon';
import { z } from 'zod';

/**
 * Entry of autocannon's process: one run per message, alive across runs so that its compiled code stays warm. Its window is the
 * built-in generator's: it opens when every connection has had an answer, so that connecting is not held against it in a short
 * run. It ends at one of autocannon's samples, which are therefore short.
 */

const Order = z.strictObject({ url: z.string(), connections: z.int(), duration: z.number() });

process.on('message', (message) => {
  const order = Order.parse(message);
  const answered = new Set<unknown>();
  let requestsInWindow = 0;
  let openedAt: number | null = null;
  let closedAt = 0;
  const run = autocannon({ ...order, pipelining: 1, sampleInt: 50 }, (error: unknown, result) => {
    // Nobody here can do better: the process ends, and the benchmark says so.
    if (error instanceof Error) throw error;
    process.send?.({
      requestsInWindow,
      windowMs: openedAt === null ? 0 : closedAt - openedAt,
      requests: result.requests.total,
      failed: result.errors + result.timeouts + result.non2xx,
    });
  });
  run.on('response', (client) => {
    if (openedAt !== null) {
      requestsInWindow += 1;
    } else if (answered.add(client).size === order.connections) {
      openedAt = performance.now();
    }
  });
  // Each second, and when it stops.
  run.on('tick', () => {
    closedAt = performance.now();
  });
});
process.on('disconnect', () => {
  process.exit(0);
});
