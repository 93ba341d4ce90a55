import { availableParallelism } from 'node:os';
import type { GeneratorPlace } from '../model/environment.ts';
import { LabError } from '../model/errors.ts';
import type { Generator } from '../model/generator.ts';
import { BuiltinGenerator } from './builtin/generator.ts';
import {
  chooseGenerator,
  tooFewCoresForK6,
  type GeneratorChoice,
  type GeneratorFacts,
  type WantedGenerator,
} from './choose.ts';
import { createK6Generator, shortestMs } from './k6/generator.ts';
import { findK6 } from './k6/find.ts';

export type { GeneratorChoice, WantedGenerator } from './choose.ts';

/** Shortest slice that a generator can fill, in milliseconds. */
export const shortestSliceMs: Readonly<Record<Generator['name'], number>> = { k6: shortestMs, builtin: 1 };

/** What the choice of a generator depends on. */
export interface GeneratorSurroundings {
  /** Whether the servers run on the generator's machine. */
  readonly sameHost: boolean;
  /** What generator and servers share; less than the host's, and a fraction, under a CPU quota. */
  readonly cores?: number;
  /** Looks for k6 where the environment would run it: a LabError when there is none. On this machine when left out. */
  readonly lookForK6?: () => Promise<{ readonly version: string }>;
}

/**
 * Chooses a generator before anything is started.
 * @throws LabError TOOL_MISSING or TOOL_TOO_OLD when k6 was asked for and cannot be had
 */
export async function pickGenerator(wanted: WantedGenerator, around: GeneratorSurroundings): Promise<GeneratorChoice> {
  const { sameHost, cores = availableParallelism(), lookForK6 = () => findK6() } = around;
  if (wanted === 'k6') await lookForK6();
  // Looking may mean fetching an image.
  const isNeeded = wanted === 'auto' && !tooFewCoresForK6({ sameHost, cores });
  const found = isNeeded ? await orNone(lookForK6) : { k6: null };
  return chooseGenerator(wanted, { ...found, cores, sameHost });
}

/** Opens the generator that was chosen, where `place` is. @throws what it says when it does not start */
export async function openGenerator(name: Generator['name'], place: GeneratorPlace | null = null): Promise<Generator> {
  return open[name](place);
}

const open = {
  k6: (place) => createK6Generator({ place }),
  builtin: (place) => BuiltinGenerator.open(place),
} satisfies Record<Generator['name'], (place: GeneratorPlace | null) => Promise<Generator>>;

/** `auto` takes a k6 that is missing or too old for none, and says so. */
async function orNone(
  lookForK6: () => Promise<{ readonly version: string }>,
): Promise<Pick<GeneratorFacts, 'k6' | 'whyNoK6'>> {
  try {
    return { k6: await lookForK6() };
  } catch (error) {
    const unusable = error instanceof LabError && (error.code === 'TOOL_MISSING' || error.code === 'TOOL_TOO_OLD');
    if (!unusable) throw error;
    return { k6: null, whyNoK6: error.message };
  }
}
