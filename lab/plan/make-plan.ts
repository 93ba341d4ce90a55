import type { Contract } from '../model/contract.ts';
import { LabError } from '../model/errors.ts';
import type { Cell, CheckMode, Generation, Plan, Slice, WarmUp, WarmUpLimits } from '../model/plan.ts';
import type { Stack } from '../model/stack.ts';
import { loadId, type Load, type Study } from '../model/study.ts';
import { seededRandom, shuffled, type Random } from './random.ts';

/** What a user may change of a study, from the command line. Undefined: as the study says. */
export interface PlanOptions {
  readonly endpoints?: readonly string[] | undefined;
  readonly vus?: readonly number[] | undefined;
  readonly durationMs?: number | undefined;
  readonly rounds?: number | undefined;
  readonly seed: number;
  readonly check: CheckMode;
  /** Whether the APIs can be restarted; where not, all rounds are one generation. */
  readonly restarts: boolean;
}

/** Shorter slices would hold too few requests of a slow endpoint to be worth a row. */
const shortestSliceMs = 200;

/** Until both minima are reached, at most 5 s: JIT, pools, prepared statements and caches are warm by then. */
export const warmUpLimits: WarmUpLimits = { minDurationMs: 2000, minRequests: 5000, maxDurationMs: 5000 };

/**
 * Turns a study into ordered runs: ceil(rounds / 2) generations, each a restart, the warm-ups, then for every
 * (endpoint, load) the variants in a seeded order and in that order reversed (AB BA), one slice each. Without restarts the same
 * pairs of rounds follow one another in one generation.
 * @throws LabError BAD_ARGUMENT or BAD_STUDY when the study, the contract and the options do not fit together.
 */
export function makePlan(study: Study, contract: Contract, stacks: readonly Stack[], options: PlanOptions): Plan {
  const chosen = withOptions(study, options);
  checkFits(chosen, contract, stacks);
  const sliceMs = chosen.durationMs / chosen.rounds;
  if (!Number.isInteger(sliceMs) || sliceMs < shortestSliceMs) {
    throw new LabError(
      'BAD_ARGUMENT',
      `${chosen.durationMs} ms in ${chosen.rounds} rounds makes slices of ${sliceMs.toFixed(1)} ms`,
      `a slice must be a whole number of milliseconds, at least ${shortestSliceMs}: change --duration or --rounds`,
    );
  }
  const random = seededRandom(options.seed);
  const pairs = pairsOfRounds(chosen.rounds);
  const lives = options.restarts ? pairs.map((pair) => [pair]) : [pairs];
  const generations = lives.map((life, index) => makeGeneration(chosen, index + 1, life, sliceMs, random));
  return {
    study: chosen,
    seed: options.seed,
    rounds: chosen.rounds,
    durationMs: chosen.durationMs,
    sliceMs,
    check: options.check,
    // Less time than the study asks for, in one pair of rounds: a sketch, whichever option made it so.
    firstLook: pairs.length === 1 && chosen.durationMs < study.durationMs,
    warmUpLimits,
    cells: cellsOf(chosen),
    generations,
  };
}

/** Cells in the order of the study: endpoint, load, variant. */
function cellsOf(study: Study): Cell[] {
  return study.endpoints.flatMap((endpoint) =>
    study.loads.flatMap((load) => study.variants.map((variant) => ({ variant: variant.id, endpoint, load }))),
  );
}

/** [1, 2], [3, 4], …; the last may be one round alone. */
function pairsOfRounds(rounds: number): number[][] {
  return Array.from({ length: Math.ceil(rounds / 2) }, (_, index) =>
    [2 * index + 1, 2 * index + 2].filter((round) => round <= rounds),
  );
}

function makeGeneration(
  study: Study,
  number: number,
  pairs: readonly (readonly number[])[],
  sliceMs: number,
  random: Random,
): Generation {
  const variants = study.variants.map((variant) => variant.id);
  const heaviest = study.loads.reduce((most, load) => (load.vus > most.vus ? load : most));
  const warmUps = shuffled(study.endpoints, random).flatMap((endpoint) =>
    shuffled(variants, random).map((variant) => warmUp(number, { variant, endpoint, load: heaviest })),
  );
  const groups = study.endpoints.flatMap((endpoint) => study.loads.map((load) => ({ endpoint, load })));
  const slices = pairs.flatMap((rounds) =>
    shuffled(groups, random).flatMap((group) => {
      const order = shuffled(variants, random);
      return rounds.flatMap((round, index) =>
        (index === 0 ? order : [...order].reverse()).map((variant) =>
          slice(number, round, { variant, ...group }, sliceMs),
        ),
      );
    }),
  );
  return { number, warmUps, slices };
}

function warmUp(generation: number, cell: Cell): WarmUp {
  return { id: `g${generation}-warm-up-${nameOf(cell)}`, generation, cell };
}

function slice(generation: number, round: number, cell: Cell, durationMs: number): Slice {
  return { id: `g${generation}-r${round}-${nameOf(cell)}`, generation, round, cell, durationMs };
}

function nameOf(cell: Cell): string {
  return `${cell.endpoint}-${loadId(cell.load)}-${cell.variant}`;
}

function withOptions(study: Study, options: PlanOptions): Study {
  const loads = options.vus === undefined ? study.loads : options.vus.map(constantVus);
  return {
    ...study,
    endpoints: [...(options.endpoints ?? study.endpoints)],
    loads,
    durationMs: options.durationMs ?? study.durationMs,
    rounds: options.rounds ?? study.rounds,
  };
}

function constantVus(vus: number): Load {
  return { executor: 'constant-vus', vus };
}

function checkFits(study: Study, contract: Contract, stacks: readonly Stack[]): void {
  const known = contract.endpoints.map((endpoint) => endpoint.id);
  for (const endpoint of study.endpoints) {
    if (!known.includes(endpoint)) {
      throw new LabError('BAD_ARGUMENT', `there is no endpoint "${endpoint}"`, `choose from: ${known.join(', ')}`);
    }
  }
  refuseRepeats('endpoint', study.endpoints);
  refuseRepeats('load', study.loads.map(loadId));
  refuseRepeats(
    'variant',
    study.variants.map((variant) => variant.id),
  );
  if (!study.variants.some((variant) => variant.id === study.baseline)) {
    throw new LabError(
      'BAD_STUDY',
      `study ${study.id}: $.baseline: no variant "${study.baseline}"`,
      'name one of its variants',
    );
  }
  for (const variant of study.variants) checkVariant(study, variant.id, variant.stack, stacks);
}

function checkVariant(study: Study, variant: string, stackId: string, stacks: readonly Stack[]): void {
  const stack = stacks.find((candidate) => candidate.manifest.id === stackId);
  if (stack === undefined) {
    const ids = stacks.map((candidate) => candidate.manifest.id).join(', ');
    throw new LabError(
      'BAD_STUDY',
      `study ${study.id}: variant ${variant} wants stack "${stackId}"`,
      `stacks here: ${ids}`,
    );
  }
  const missing = study.endpoints.find((endpoint) => !stack.manifest.endpoints.includes(endpoint));
  if (missing !== undefined) {
    throw new LabError(
      'BAD_STUDY',
      `stack ${stackId} does not have ${missing}`,
      'leave it out with --endpoints, or add it to the stack',
    );
  }
}

function refuseRepeats(what: string, ids: readonly string[]): void {
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) {
    throw new LabError('BAD_ARGUMENT', `${what} "${repeated}" is named twice`, 'name it once');
  }
}
