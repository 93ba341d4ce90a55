import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import getPort from 'get-port';

/** Below the range from which Linux, macOS and Windows take ports for outgoing connections: a free one stays free. */
const range = { from: 20_000, to: 31_999 };
const candidates = 32;

/** A port of 127.0.0.1 on which nobody listens now. Somebody else may be faster: who listens on it must be ready to try another. */
export async function freePort(): Promise<number> {
  const port = Array.from({ length: candidates }, () => randomInt(range.from, range.to + 1));
  return getPort({ port, host: '127.0.0.1' });
}

/** Whether nobody listens on `port` of 127.0.0.1 now. */
export async function isFree(port: number): Promise<boolean> {
  // Not get-port: it also counts ports that this process was given a moment ago as taken.
  const server = createServer();
  server.listen({ port, host: '127.0.0.1', exclusive: true });
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
