import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { readContract, readStacks } from '../contract/read.ts';
import { repositoryRoot } from '../contract/root.ts';
import { startEnvironment } from '../environment/index.ts';
import type { Environment } from '../model/environment.ts';
import type { EnvironmentName } from '../model/plan.ts';
import { readStudy } from '../plan/index.ts';
import { variantsWithStacks } from './inputs.ts';

/** An environment for use by hand: every variant of the default study, on its stack's own port where that is free. */
export async function startByHand(
  env: 'auto' | EnvironmentName,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<{
  environment: Environment;
  variants: readonly string[];
  endpoints: readonly { id: string; path: string }[];
  cacheKeys: readonly string[];
}> {
  const contractDir = join(repositoryRoot, 'contract');
  const contract = await readContract(contractDir);
  const stacks = await readStacks(repositoryRoot, contract);
  const study = await readStudy(repositoryRoot, 'go-vs-node');
  const variants = variantsWithStacks(study.variants, stacks);
  const portsByVariant: Record<string, number> = {};
  for (const { variant, stack } of variants) {
    portsByVariant[variant.id] = await getPort({ port: stack.manifest.port, host: '127.0.0.1' });
  }
  const logDir = await mkdtemp(join(tmpdir(), 'loadlab-up-'));
  const { environment } = await startEnvironment(env, {
    contract,
    contractDir,
    variants,
    report,
    logDir,
    signal,
    portsByVariant,
  });
  return {
    environment,
    variants: variants.map(({ variant }) => variant.id),
    endpoints: contract.endpoints,
    cacheKeys: contract.endpoints.flatMap(({ cache }) => (cache === undefined ? [] : [cache.key])),
  };
}
