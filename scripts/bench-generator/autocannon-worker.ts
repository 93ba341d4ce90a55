import autocannon from 'autocannon';
import { z } from 'zod';

/**
 * Entry of autocannon's process: one run per message, alive across runs so that its compiled code stays warm. It ends at a
 * sample, so samples are short, and says when: its own `duration` is rounded to 10 ms.
 */

const Order = z.strictObject({ url: z.string(), connections: z.int(), duration: z.number() });

process.on('message', (message) => {
  void autocannon({ ...Order.parse(message), pipelining: 1, sampleInt: 50 }).then((result) => {
    process.send?.({
      requests: result.requests.total,
      seconds: (result.finish.getTime() - result.start.getTime()) / 1000,
      failed: result.errors + result.timeouts + result.non2xx,
    });
  });
});
process.on('disconnect', () => {
  process.exit(0);
});
