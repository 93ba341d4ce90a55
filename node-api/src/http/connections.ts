import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The open connections of a server, and the last answer that each owes or has given. */
export class Connections {
  private readonly open = new Set<Socket>();
  private readonly answers = new WeakMap<Socket, ServerResponse>();

  add(socket: Socket): void {
    this.open.add(socket);
    socket.once('close', () => this.open.delete(socket));
  }

  /** Notes that a request has arrived on `socket`, to be answered by `response`. */
  owes(socket: Socket, response: ServerResponse): void {
    this.answers.set(socket, response);
  }

  /** The answer to the last request of a connection; undefined before the first. */
  latest(socket: Socket): ServerResponse | undefined {
    return this.answers.get(socket);
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
