import { Redis } from 'ioredis';

const limitMs = 5_000;

/** One command on a connection of its own, in database `db` of the Redis at that place. */
export async function redisCommand(
  { host, port }: { host: string; port: number },
  db: number,
  name: string,
  ...args: string[]
): Promise<unknown> {
  const client = new Redis({ host, port, db, lazyConnect: true, retryStrategy: () => null, commandTimeout: limitMs });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await client.call(name, ...args);
  } finally {
    client.disconnect();
  }
}
