import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { contractSha256, readContract, readStacks, readThresholds } from '../contract/read.ts';
import { repositoryRoot } from '../contract/root.ts';
import { remoteTarget, type RemoteOptions, type RemoteTarget } from '../environment/index.ts';
import type { Contract, Thresholds } from '../model/contract.ts';
import type { EnvironmentRequest } from '../model/environment.ts';
import { LabError } from '../model/errors.ts';
import type { CheckMode, EnvironmentName, GeneratorName, Plan } from '../model/plan.ts';
import type { Stack } from '../model/stack.ts';
import type { Variant } from '../model/study.ts';
import { makePlan, readStudy } from '../plan/index.ts';

/** What a user may say on the command line of `loadlab bench`. Undefined: as the study or the preset says. */
export interface BenchOptions {
  readonly study: string;
  readonly env: 'auto' | EnvironmentName;
  readonly generator?: 'auto' | GeneratorName | undefined;
  readonly check?: CheckMode | undefined;
  readonly endpoints?: readonly string[] | undefined;
  readonly vus?: readonly number[] | undefined;
  readonly durationMs?: number | undefined;
  readonly rounds?: number | undefined;
  readonly seed?: number | undefined;
  /** Whether the containers stay when the study is over. */
  readonly keep?: boolean | undefined;
  /** Folder in which the set's folder is made; results/ of the clone by default. */
  readonly out?: string | undefined;
  readonly preset?: 'quick' | 'published' | undefined;
  /** Where the servers are, with `--env remote`. */
  readonly remote?: RemoteOptions | undefined;
  readonly commandLine: readonly string[];
}

/** Everything that is read before anything is started. */
export interface Inputs {
  readonly contract: Contract;
  readonly contractDir: string;
  readonly contractSha256: string;
  readonly thresholds: Thresholds;
  readonly stacks: readonly Stack[];
  readonly plan: Plan;
  readonly wantedGenerator: 'auto' | GeneratorName;
  /** null: another environment than `remote`. */
  readonly remote: RemoteTarget | null;
}

/** What a preset puts in the place of the study's own values; an option on the command line goes before it. */
const presets = {
  quick: { durationMs: 2000, rounds: 2, generator: undefined, check: undefined },
  published: { durationMs: 30_000, rounds: 1, generator: 'k6', check: 'json' },
} as const;

/** @throws LabError BAD_CONTRACT, BAD_STACK, BAD_STUDY or BAD_ARGUMENT. */
export async function readInputs(options: BenchOptions): Promise<Inputs> {
  const contractDir = join(repositoryRoot, 'contract');
  const contract = await readContract(contractDir);
  const thresholds = await readThresholds(contractDir);
  const stacks = await readStacks(repositoryRoot, contract);
  const study = await readStudy(repositoryRoot, options.study);
  const preset = options.preset === undefined ? undefined : presets[options.preset];
  const plan = makePlan(study, contract, stacks, {
    endpoints: options.endpoints,
    vus: options.vus,
    durationMs: options.durationMs ?? preset?.durationMs,
    rounds: options.rounds ?? preset?.rounds,
    seed: options.seed ?? randomInt(2 ** 31),
    check: options.check ?? preset?.check ?? 'bytes',
    // Nobody restarts servers that the lab has not started.
    restarts: options.env !== 'remote',
  });
  return {
    contract,
    contractDir,
    contractSha256: await contractSha256(contractDir),
    thresholds,
    stacks,
    plan,
    wantedGenerator: options.generator ?? preset?.generator ?? 'auto',
    remote: options.env === 'remote' ? remoteTarget(options.remote ?? { baseUrls: [] }, plan.study, contract) : null,
  };
}

/** A study's variants, each with its stack. */
export function variantsWithStacks(
  variants: readonly Variant[],
  stacks: readonly Stack[],
): EnvironmentRequest['variants'] {
  return variants.map((variant) => {
    const stack = stacks.find((candidate) => candidate.manifest.id === variant.stack);
    if (stack === undefined) throw new LabError('BAD_STUDY', `no stack "${variant.stack}"`, 'see the stack.json files');
    return { variant, stack };
  });
}
