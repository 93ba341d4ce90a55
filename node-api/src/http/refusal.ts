import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** How long a refused client may keep sending: a close before that would reset the connection under the answer. */
const lingerMs = 500;

const statusOf: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

const refused = new WeakSet<Socket>();

/**
 * Answers what the HTTP parser could not read, after the answers to the requests before it (`latest` is the last of
 * them), and closes.
 */
export function refuseConnection(
  error: NodeJS.ErrnoException,
  socket: Socket,
  latest: ServerResponse | undefined,
): void {
  // What else the client sends is refused too, each time that some of it arrives.
  if (refused.has(socket)) return;
  refused.add(socket);
  const refuse = () => {
    end(socket, statusOf[error.code ?? ''] ?? 400);
  };
  if (latest === undefined || latest.writableFinished || latest.destroyed) refuse();
  else latest.once('close', refuse);
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
