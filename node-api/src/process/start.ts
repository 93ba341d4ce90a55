import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { z } from 'zod';
import { Cache } from '../cache/cache.ts';
import type { Config } from '../config.ts';
import { createRoutes } from '../endpoints/routes.ts';
import type { Log } from '../events/log.ts';
import { Outage } from '../events/outage.ts';
import { createApp } from '../http/app.ts';
import { createReply } from '../http/reply.ts';
import { LabServer } from '../http/server.ts';
import { Store } from '../products/store.ts';

/** A stack that listens. */
export interface Running {
  readonly url: string;
  /** Stops accepting and waits for what is in flight. */
  drain(): Promise<void>;
  /** Closes the connections to database and cache. */
  release(): Promise<void>;
}

/**
 * Wires the parts and listens. Neither database nor Redis has to be there yet.
 * @throws {BrokenContract} where the contract lacks something that an endpoint needs
 * @throws where the address cannot be listened on
 */
export async function start(config: Config, version: string, log: Log): Promise<Running> {
  const { limits } = config.contract;
  const store = new Store(
    {
      url: config.databaseUrl,
      poolSize: config.databasePoolSize,
      poolTimeoutMs: config.poolTimeoutMs,
      queryTimeoutMs: config.queryTimeoutMs,
    },
    new Outage(log, 'database'),
  );
  const cache = new Cache(
    { url: config.redisUrl, poolSize: config.redisPoolSize, timeoutMs: config.cacheTimeoutMs },
    new Outage(log, 'cache'),
  );
  const release = async () => {
    cache.close();
    await store.close();
  };
  try {
    const server = new LabServer({
      maxHeaderBytes: limits.maxHeaderBytes,
      keepAliveTimeoutMs: config.keepAliveTimeoutMs,
    });
    const app = createApp({
      routes: createRoutes({ config, version, store, cache }),
      retryAfterSeconds: limits.retryAfterSeconds,
      reply: createReply(() => server.isClosing()),
      log,
    });
    const port = await server.listen(app, config.host, config.port);
    const url = `http://${isIPv6(config.host) ? `[${config.host}]` : config.host}:${port}`;
    log.info('listening', { url });
    return { url, drain: () => server.drain(), release };
  } catch (error) {
    await release();
    throw error;
  }
}

/** The version in the stack's package.json. */
export function readVersion(stackFolder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(stackFolder, 'package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}
