import type { GeneratorName } from '../model/plan.ts';

export type WantedGenerator = 'auto' | GeneratorName;

/** k6 needs about as much CPU as what it loads: with fewer cores it would measure itself. */
export const minCoresForK6 = 4;

export interface GeneratorFacts {
  /** The k6 that was found; null without one that can be used. */
  readonly k6: { readonly version: string } | null;
  /** Why there is no k6, where that is known. */
  readonly whyNoK6?: string;
  /** Cores that generator and servers share, or that the generator has where they do not. */
  readonly cores: number;
  /** Whether generator and servers run on the same host. */
  readonly sameHost: boolean;
}

export interface GeneratorChoice {
  readonly name: GeneratorName;
  /** Why it is this one, in one line; the name and version stand elsewhere. */
  readonly chosen: string;
}

/** Which generator makes the load, and why. Pure; whether a k6 that was asked for is there shows when it is opened. */
export function chooseGenerator(wanted: WantedGenerator, facts: GeneratorFacts): GeneratorChoice {
  if (wanted !== 'auto') return { name: wanted, chosen: 'as asked' };
  const cores = `generator and servers share ${facts.cores} ${facts.cores === 1 ? 'core' : 'cores'}`;
  if (tooFewCoresForK6(facts)) {
    return { name: 'builtin', chosen: `auto: ${cores}; below ${minCoresForK6}, k6 would take too much of them` };
  }
  if (facts.k6 === null) return { name: 'builtin', chosen: `auto: ${facts.whyNoK6 ?? 'k6 was not found'}` };
  const where = facts.sameHost ? cores : 'the servers are on another host';
  return { name: 'k6', chosen: `auto: k6 was found, and ${where}` };
}

/** Where this is so, nobody needs to look for k6. */
export function tooFewCoresForK6({ sameHost, cores }: Pick<GeneratorFacts, 'sameHost' | 'cores'>): boolean {
  return sameHost && cores < minCoresForK6;
}
