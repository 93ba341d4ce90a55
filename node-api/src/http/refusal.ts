import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isGiven } from './connections.ts';

/** How long a refused client may keep sending: a close before that would reset the connection under the answer. */
const lingerMs = 500;

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** What comes behind a request that closes the connection is not looked at. */
const afterClose = 'HPE_CLOSED_CONNECTION';

const refused = new WeakSet<Socket>();

/**
 * Answers what the HTTP parser could not read, after the answers to the requests before it (`latest` is the last of
 * them), and closes. A body that it could not read belongs to a request that has an answer of its own.
 */
export function refuseConnection(
  error: NodeJS.ErrnoException,
  socket: Socket,
  latest: ServerResponse | undefined,
): void {
  // What else the client sends is refused too, each time that some of it arrives.
  if (refused.has(socket)) return;
  refused.add(socket);
  if (error.code === afterClose) return;
  const isBody = latest?.req.complete === false;
  const finish = () => {
    if (isBody) socket.destroySoon();
    else end(socket, statusOf[error.code ?? ''] ?? 400);
  };
  if (latest === undefined || isGiven(latest)) finish();
  else latest.once('close', finish);
}

function end(socket: Socket, status: number): void {
  // The last answer ended the connection, or the client has gone.
  if (!socket.writable) return;
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
  socket.once('end', () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.resume();
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
    'latin1',
  );
}
