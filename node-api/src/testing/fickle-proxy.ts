import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy that can stop passing anything on, as a server that hangs does, without closing a connection. */
export class FickleProxy {
  private readonly server: Server;
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private swallowing = false;

  private constructor(target: URL) {
    this.server = createServer((client) => {
      const upstream = connect(Number(target.port), target.hostname);
      const pair = [client, upstream] as const;
      this.pairs.add(pair);
      for (const socket of pair) {
        socket.on('error', () => socket.destroy());
        socket.once('close', () => {
          client.destroy();
          upstream.destroy();
          this.pairs.delete(pair);
        });
      }
      if (!this.swallowing) client.pipe(upstream).pipe(client);
    });
  }

  static async to(url: string): Promise<FickleProxy> {
    const proxy = new FickleProxy(new URL(url));
    proxy.server.listen(0, '127.0.0.1');
    await once(proxy.server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Accepts and swallows from now on; connections that are open stay dead even when others work again. */
  swallow(): void {
    this.swallowing = true;
    for (const [client, upstream] of this.pairs) {
      client.unpipe(upstream);
      upstream.unpipe(client);
      client.resume();
      upstream.resume();
    }
  }

  /** Passes on what new connections send. */
  pass(): void {
    this.swallowing = false;
  }

  close(): void {
    this.server.close();
    for (const [client, upstream] of this.pairs) {
      client.destroy();
      upstream.destroy();
    }
  }
}
