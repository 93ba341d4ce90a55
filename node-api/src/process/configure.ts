import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { BrokenConfig, contractFolder, readConfig, type Config, type Defaults, type Environment } from '../config.ts';
import { BrokenContract, readContract, type LoadedContract } from '../contract/read.ts';

/** All that a process has to know before it starts. */
export interface Configured {
  readonly config: Config;
  readonly loaded: LoadedContract;
  /** The stack's own. */
  readonly version: string;
}

/** What keeps a process from starting: one line for each thing that is wrong. */
export class Misconfigured extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'Misconfigured';
    this.problems = problems;
  }
}

/** Stands in for a contract that cannot be read: the variables that are set are checked all the same. */
const anyDefaults: Defaults = {
  pools: { database: 1, redis: 1 },
  limits: {
    poolTimeoutMs: 1,
    queryTimeoutMs: 1,
    cacheTimeoutMs: 1,
    shutdownTimeoutMs: 1,
    keepAliveTimeoutMs: 1,
    maxHeaderBytes: 1,
    retryAfterSeconds: 1,
  },
};

/**
 * Reads the contract and the environment.
 * @throws {Misconfigured} with what is wrong in either, so that one start shows it all
 */
export function configure(environment: Environment, stackFolder: string): Configured {
  const problems: string[] = [];
  const loaded = gather(problems, () => readContract(contractFolder(environment, stackFolder)));
  const config = gather(problems, () => readConfig(environment, loaded?.contract ?? anyDefaults));
  if (loaded === undefined || config === undefined) throw new Misconfigured(problems);
  return { config, loaded, version: readVersion(stackFolder) };
}

function gather<T>(problems: string[], read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BrokenConfig) && !(error instanceof BrokenContract)) throw error;
    problems.push(...error.problems);
    return undefined;
  }
}

function readVersion(stackFolder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(stackFolder, 'package.json'), 'utf8'));
  return z.object({ version: z.string() }).parse(manifest).version;
}
