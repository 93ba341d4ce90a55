import type { GeneratorName } from '../model/plan.ts';

export type WantedGenerator = 'auto' | GeneratorName;

/** k6 needs about as much CPU as what it loads: with fewer cores it would measure itself. */
export const minCoresForK6 = 4;

export interface GeneratorFacts {
  /** The k6 that was found; null without one. */
  readonly k6: { readonly version: string } | null;
  /** Cores that generator and servers share, or that the generator has where they do not. */
  readonly cores: number;
  /** Whether generator and servers run on the same host. */
  readonly sameHost: boolean;
}

export interface GeneratorChoice {
  readonly name: GeneratorName;
  /** Why, in one line. */
  readonly chosen: string;
}

/** Which generator makes the load, and why. Pure; whether a k6 that was asked for is there shows when it is opened. */
export function chooseGenerator(wanted: WantedGenerator, facts: GeneratorFacts): GeneratorChoice {
  if (wanted !== 'auto') return { name: wanted, chosen: `${wanted}: asked for` };
  if (facts.k6 === null) return { name: 'builtin', chosen: 'builtin: no k6 was found' };
  const { version } = facts.k6;
  if (!facts.sameHost) return { name: 'k6', chosen: `k6 ${version}: the servers are on another host` };
  const cores = `${facts.cores} ${facts.cores === 1 ? 'core' : 'cores'}`;
  if (facts.cores >= minCoresForK6) {
    return { name: 'k6', chosen: `k6 ${version}: generator and servers share ${cores}` };
  }
  const why = `generator and servers share ${cores}, and k6 needs ${minCoresForK6}`;
  return { name: 'builtin', chosen: `builtin: ${why} to leave them enough` };
}
