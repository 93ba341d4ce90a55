import { availableParallelism } from 'node:os';
import { LabError } from '../model/errors.ts';
import type { Generator } from '../model/generator.ts';
import { BuiltinGenerator } from './builtin/generator.ts';
import { chooseGenerator, type GeneratorFacts, type WantedGenerator } from './choose.ts';
import { createK6Generator, shortestMs } from './k6/generator.ts';
import { findK6 } from './k6/find.ts';

/** Shortest slice that a generator can fill, in milliseconds. */
export const shortestSliceMs: Readonly<Record<Generator['name'], number>> = { k6: shortestMs, builtin: 1 };

/** A generator that is ready for runs, and why it is this one. */
export interface OpenedGenerator {
  readonly generator: Generator;
  readonly chosen: string;
}

/**
 * Chooses and opens a generator.
 * @throws LabError TOOL_MISSING or TOOL_TOO_OLD when k6 was asked for; what the generator says when it does not start.
 * @param sameHost whether the servers run on this host
 * @param cores what generator and servers share; less than the host's, and a fraction, under a CPU quota
 */
export async function openGenerator(
  wanted: WantedGenerator,
  sameHost = true,
  cores = availableParallelism(),
): Promise<OpenedGenerator> {
  const found = wanted === 'auto' ? await lookForK6() : { k6: null };
  const { name, chosen } = chooseGenerator(wanted, { ...found, cores, sameHost });
  return { generator: await open[name](), chosen };
}

const open = {
  k6: () => createK6Generator(),
  builtin: () => BuiltinGenerator.open(),
} satisfies Record<Generator['name'], () => Promise<Generator>>;

/** `auto` takes a k6 that is missing or too old for none, and says so. */
async function lookForK6(): Promise<Pick<GeneratorFacts, 'k6' | 'whyNoK6'>> {
  try {
    return { k6: await findK6() };
  } catch (error) {
    const unusable = error instanceof LabError && (error.code === 'TOOL_MISSING' || error.code === 'TOOL_TOO_OLD');
    if (!unusable) throw error;
    return { k6: null, whyNoK6: error.message };
  }
}
