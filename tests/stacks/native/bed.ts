import { startEnvironment } from '../../../lab/environment/index.ts';
import { freePort } from '../../../lab/environment/native/ports.ts';
import type { Bed, TestDatabase } from '../bed.ts';
import { hostBed, type BackendContext, type Backends } from '../host/bed.ts';
import { databaseAt } from '../host/databases.ts';
import { NativePostgres } from './postgres-server.ts';
import { NativeRedis } from './redis-server.ts';

/**
 * Everything as processes of this host, on the PostgreSQL that TEST_DATABASE_URL names; where it is not set, on one that
 * the lab's native environment starts.
 */
export function nativeBed(): Promise<Bed> {
  return hostBed('native', startBackends);
}

async function startBackends(context: BackendContext): Promise<Backends> {
  const database = await seededDatabase(context);
  const redis = new NativeRedis(await freePort(), context.watchdog);
  await redis.start();
  context.defer(() => redis.stop());
  return { database, redis, newDatabaseServer: () => NativePostgres.make(context) };
}

async function seededDatabase({ contract, contractDir, folder, defer }: BackendContext): Promise<TestDatabase> {
  const given = process.env.TEST_DATABASE_URL;
  if (given !== undefined && given !== '') return databaseAt(given);
  const { environment } = await startEnvironment('native', {
    contract,
    contractDir,
    variants: [],
    report: () => undefined,
    logDir: folder,
    signal: new AbortController().signal,
  });
  defer(() => environment.stop());
  return databaseAt(environment.databaseUrl);
}
