import type { Thresholds } from '../model/contract.ts';
import type { Evidence } from './evidence.ts';

/**
 * What a tripped rule does to a verdict. `invalid` and `suspect` are for bias: the number is not of what it claims to be, or of it
 * with a qualification. `note` is for what the interval has paid for already, and for what is merely worth knowing.
 */
export type Effect = 'invalid' | 'suspect' | 'note';

/** Which of a cell's two verdicts a rule speaks to. */
export type Scope = 'throughput' | 'latency' | 'both';

/** `not-evaluated`: the evidence is missing, which is neither good nor bad. */
export type Outcome =
  | { readonly state: 'kept' }
  | { readonly state: 'not-evaluated'; readonly because: string }
  | { readonly state: 'tripped'; readonly effect: Effect; readonly seen: string };

/** One rule: a file in rules/, and a line in its list. */
export interface Rule {
  readonly name: string;
  readonly scope: Scope;
  /** Every effect it can have, the worst first. */
  readonly effects: readonly Effect[];
  /** What it looks at, for the table in docs/methodology.md. */
  readonly looksAt: string;
  /** The limit in words, with the numbers of contract/thresholds.json. */
  limit(thresholds: Thresholds): string;
  /** What to do about it: one short line. */
  readonly advice: string;
  evaluate(evidence: Evidence): Outcome;
}

export const kept: Outcome = { state: 'kept' };

export function notEvaluated(because: string): Outcome {
  return { state: 'not-evaluated', because };
}

export function tripped(effect: Effect, seen: string): Outcome {
  return { state: 'tripped', effect, seen };
}
