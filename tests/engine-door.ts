import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';

/** A door in front of the Docker engine's socket: stalled, whoever asks gets no answer, as from an engine that hangs. */
export class EngineDoor {
  /** For DOCKER_HOST. */
  readonly host: string;
  readonly #path: string;
  readonly #sockets = new Set<Socket>();
  readonly #server: Server;
  #isStalled = false;

  private constructor(path: string, engine: string) {
    this.#path = path;
    this.host = `unix://${path}`;
    this.#server = createServer((client) => {
      const behind = connect(engine);
      this.#keep(client, behind);
      this.#keep(behind, client);
      // Half-open by design: an attached stream is closed in one direction first.
      client.pipe(behind);
      behind.pipe(client);
      if (this.#isStalled) this.#hold(client, behind);
    });
  }

  /** Opens a door in `folder`. */
  static async open(folder: string, engine = '/var/run/docker.sock'): Promise<EngineDoor> {
    const door = new EngineDoor(join(folder, 'engine.sock'), engine);
    door.#server.listen(door.#path);
    await once(door.#server, 'listening');
    return door;
  }

  /** From now on nothing passes, in either direction, on old connections and new ones. */
  stall(): void {
    this.#isStalled = true;
    for (const socket of this.#sockets) socket.unpipe();
    for (const socket of this.#sockets) socket.pause();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #hold(...sockets: Socket[]): void {
    for (const socket of sockets) {
      socket.unpipe();
      socket.pause();
    }
  }

  #keep(socket: Socket, other: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => {
      this.#sockets.delete(socket);
      other.destroy();
    });
  }
}
