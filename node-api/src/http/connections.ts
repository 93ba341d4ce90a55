import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const owed = Symbol('owed');

/**
 * A connection with the answer to its last request, until that is given. A property, and only until then: a WeakMap that
 * holds every answer until the next request makes the garbage collector copy it again and again.
 */
interface Connection extends Socket {
  [owed]?: ServerResponse | undefined;
}

/** The open connections of a server, and the last answer that each owes. */
export class Connections {
  private readonly open = new Set<Connection>();

  add(socket: Connection): void {
    this.open.add(socket);
    socket[owed] = undefined;
    socket.once('close', () => this.open.delete(socket));
  }

  /** Notes that a request has arrived on `socket`, to be answered by `response`. */
  owes(socket: Connection, response: ServerResponse): void {
    socket[owed] = response;
    response.on('finish', forget);
  }

  /** The answer to the last request of a connection; undefined where it is given and all of the request has come. */
  latest(socket: Connection): ServerResponse | undefined {
    return socket[owed];
  }

  /** Closes connections that have not sent a byte: Node does not count these as idle. */
  closeSilent(): void {
    for (const socket of this.open) if (socket.bytesRead === 0) socket.destroy();
  }

  /** Closes connections on which no answer is owed, even where a request has begun to arrive. */
  closeUnowed(): void {
    for (const socket of this.open) if (isGiven(this.latest(socket))) socket.destroy();
  }
}

/** Whether an answer is on its way or cannot be given any more. */
export function isGiven(response: ServerResponse | undefined): boolean {
  return response === undefined || response.writableFinished || response.destroyed;
}

/** A listener to `finish`, the same for every response: a closure for each would cost more than it is worth. */
function forget(this: ServerResponse): void {
  const { socket, complete }: { socket: Connection; complete: boolean } = this.req;
  // Whether the rest of a request's body can be read still matters.
  if (complete && socket[owed] === this) socket[owed] = undefined;
}
