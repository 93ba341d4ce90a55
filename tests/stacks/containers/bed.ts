import type { Bed } from '../bed.ts';
import { hostBed, type BackendContext, type Backends } from '../host/bed.ts';
import { Engine } from './engine.ts';
import { PostgresContainer } from './postgres-container.ts';
import { RedisContainer } from './redis-container.ts';

/** PostgreSQL and Redis in containers of the images that POSTGRES_IMAGE and REDIS_IMAGE name; the stacks as processes of this host. */
export function containersBed(): Promise<Bed> {
  return hostBed('containers', startBackends);
}

async function startBackends({ contract, contractDir, defer }: BackendContext): Promise<Backends> {
  const engine = await Engine.connect();
  defer(() => engine.removeAll());
  const server = await PostgresContainer.make(engine, contract, contractDir);
  const redis = await RedisContainer.make(engine);
  // One after the other: a container that is still being created when the other one fails would escape removeAll().
  await server.start();
  await redis.start();
  return {
    database: server.database,
    redis,
    newDatabaseServer: () => PostgresContainer.make(engine, contract, contractDir),
  };
}
