import { join } from 'node:path';
import { readContract } from '../../lab/contract/read.ts';
import { repositoryRoot } from '../../lab/contract/root.ts';
import { startEnvironment } from '../../lab/environment/index.ts';

/** A seeded PostgreSQL and a Redis of the tests' own. */
export interface Services {
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** Starts PostgreSQL and Redis without any API, runs `use`, and stops them on every way out. */
export async function withServices<T>(folder: string, use: (services: Services) => Promise<T>): Promise<T> {
  const contractDir = join(repositoryRoot, 'contract');
  const { environment } = await startEnvironment('native', {
    contract: await readContract(contractDir),
    contractDir,
    variants: [],
    report: (line) => process.stdout.write(`      ${line}\n`),
    logDir: folder,
    signal: new AbortController().signal,
  });
  try {
    return await use({ databaseUrl: environment.databaseUrl, redisUrl: environment.redisUrl });
  } finally {
    await environment.stop();
  }
}

/** What the integration tests of both stacks look for. */
export function serviceVariables(services: Services): Record<string, string> {
  return { TEST_DATABASE_URL: services.databaseUrl, TEST_REDIS_URL: services.redisUrl };
}
