import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { Answers } from './answers.ts';

/** Entry of the null server's process: takes the bodies over IPC, answers with its port, and serves until the channel closes. */

/** The largest head of a request that is waited for. */
const maxHeadBytes = 64 * 1024;

process.once('message', (message) => {
  const answers = new Answers(z.record(z.string(), z.string()).parse(message));
  // Plain TCP: an HTTP server's parser would cost more than the generator under test.
  const server = createServer({ noDelay: true }, (socket) => {
    let rest: Buffer | null = null;
    const write = (response: Buffer): void => {
      socket.write(response);
    };
    socket.on('data', (chunk) => {
      rest = answers.answer(rest === null ? chunk : Buffer.concat([rest, chunk]), write);
      if (rest !== null && rest.length > maxHeadBytes) socket.destroy();
    });
    // A client that resets its connection at a run's end ends that connection, nothing else.
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    process.send?.({ port });
  });
});

process.on('disconnect', () => {
  process.exit(0);
});
