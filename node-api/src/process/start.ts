import { isIPv6 } from 'node:net';
import { Cache } from '../cache/cache.ts';
import { createRoutes } from '../endpoints/routes.ts';
import type { Log } from '../events/log.ts';
import { Outage } from '../events/outage.ts';
import { createApp } from '../http/app.ts';
import { createReply } from '../http/reply.ts';
import { LabServer } from '../http/server.ts';
import { Store } from '../products/store.ts';
import type { Configured } from './configure.ts';

/** A stack that listens. */
export interface Running {
  readonly url: string;
  /** Stops accepting and waits for what is in flight. */
  drain(): Promise<void>;
  /** Closes the connections to database and cache. */
  release(): Promise<void>;
}

/**
 * Wires the parts and listens. Neither database nor Redis has to be there yet. `beforeAnnounced` runs between listening
 * and saying so: whoever reads the announcement may send a signal at once.
 * @throws {BrokenContract} where the contract lacks something that an endpoint needs
 * @throws where the address cannot be listened on
 */
export async function start(
  { config, loaded, version }: Configured,
  log: Log,
  beforeAnnounced: (running: Running) => void = () => undefined,
): Promise<Running> {
  const { limits } = loaded.contract;
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
      routes: createRoutes({ config, loaded, version, store, cache, log }),
      retryAfterSeconds: limits.retryAfterSeconds,
      reply: createReply(() => server.isClosing()),
      log,
    });
    const port = await server.listen(app, config.host, config.port);
    const url = `http://${isIPv6(config.host) ? `[${config.host}]` : config.host}:${port}`;
    const running = { url, drain: () => server.drain(), release };
    beforeAnnounced(running);
    log.info('listening', { url });
    return running;
  } catch (error) {
    await release();
    throw error;
  }
}
