import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import getPort from 'get-port';
import { readContract, readStacks } from '../contract/read.ts';
import { repositoryRoot } from '../contract/root.ts';
import type { EnvironmentSite } from '../environment/index.ts';
import type { OwnEnvironment } from '../model/environment.ts';
import { readStudy } from '../plan/index.ts';
import { variantsWithStacks } from './inputs.ts';

/** What is running for use by hand. */
export interface ByHand {
  readonly environment: OwnEnvironment;
  readonly variants: readonly string[];
  readonly endpoints: readonly { readonly id: string; readonly path: string }[];
  readonly cacheKeys: readonly string[];
  /** Stops the environment and removes its logs. */
  stop(): Promise<void>;
}

/** An environment for use by hand: every variant of the study, on its stack's own port where that is free. */
export async function startByHand(
  studyId: string,
  site: EnvironmentSite<OwnEnvironment>,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<ByHand> {
  const contractDir = join(repositoryRoot, 'contract');
  const contract = await readContract(contractDir);
  const stacks = await readStacks(repositoryRoot, contract);
  const study = await readStudy(repositoryRoot, studyId);
  const variants = variantsWithStacks(study.variants, stacks);
  const portsByVariant: Record<string, number> = {};
  for (const { variant, stack } of variants) {
    portsByVariant[variant.id] = await getPort({ port: stack.manifest.port, host: '127.0.0.1' });
  }
  const logDir = await mkdtemp(join(tmpdir(), 'loadlab-up-'));
  const removeLogs = (): Promise<void> => rm(logDir, { recursive: true, force: true });
  const request = { contract, contractDir, variants, report, logDir, signal, portsByVariant };
  const environment = await site.start(request).catch(async (error: unknown) => {
    await removeLogs();
    throw error;
  });
  return {
    environment,
    variants: variants.map(({ variant }) => variant.id),
    endpoints: contract.endpoints,
    cacheKeys: contract.endpoints.flatMap(({ cache }) => (cache === undefined ? [] : [cache.key])),
    stop: async () => {
      await environment.stop();
      await removeLogs();
    },
  };
}
