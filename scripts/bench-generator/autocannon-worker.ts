import autocannon from 'autocannon';
import { z } from 'zod';

/** Entry of autocannon's process: one run per message, alive across runs so that its compiled code stays warm. */

const Order = z.strictObject({ url: z.string(), connections: z.int(), duration: z.number() });

process.on('message', (message) => {
  void autocannon({ ...Order.parse(message), pipelining: 1 }).then((result) => {
    process.send?.({
      requests: result.requests.total,
      seconds: result.duration,
      failed: result.errors + result.timeouts + result.non2xx,
    });
  });
});
process.on('disconnect', () => {
  process.exit(0);
});
