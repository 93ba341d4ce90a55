import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { DeadlineExceeded, withDeadline } from './deadline.ts';

const never = new Promise<never>(() => undefined);

it('gives what came in time', async () => {
  await expect(withDeadline(Promise.resolve('value'), 1000)).resolves.toBe('value');
  await expect(withDeadline(Promise.reject(new Error('broken')), 1000)).rejects.toThrow('broken');
});

it('gives up what does not come', async () => {
  await expect(withDeadline(never, 5)).rejects.toBeInstanceOf(DeadlineExceeded);
});

it('ignores what comes later', async () => {
  let fail: (reason: Error) => void = () => undefined;
  const late = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  await expect(withDeadline(late, 5)).rejects.toBeInstanceOf(DeadlineExceeded);
  fail(new Error('too late to matter'));
});

it('does not blame the other side for a busy event loop', async () => {
  const deadlineMs = 20;
  const server = createServer((socket) => {
    socket.on('data', () => {
      socket.write('answer');
      busyFor(3 * deadlineMs); // the answer lies in the client's socket, and the timer is due
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');

  socket.write('question');
  const answer = withDeadline(once(socket, 'data'), deadlineMs);
  await expect(answer).resolves.toHaveLength(1);

  socket.destroy();
  server.close();
});

function busyFor(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs) Math.sqrt(endMs);
}
