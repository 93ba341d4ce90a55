import type { Reason, Summary, Verdict } from '../model/result.ts';
import type { Evidence } from './evidence.ts';
import type { Effect, Outcome, Rule } from './rule.ts';
import { rules } from './rules/index.ts';

/** A rule, and what it found. */
export interface Finding {
  readonly rule: Rule;
  readonly outcome: Outcome;
}

/** What every rule says of a cell, those that were kept or not evaluated included. */
export function examine(evidence: Evidence): readonly Finding[] {
  return rules.map((rule) => ({ rule, outcome: rule.evaluate(evidence) }));
}

/** A cell's two verdicts: each as bad as the worst rule that speaks to it. */
export function judge(evidence: Evidence): Summary['verdicts'] {
  const findings = examine(evidence);
  return {
    throughput: verdictOf('throughput', findings, evidence),
    latency: verdictOf('latency', findings, evidence),
  };
}

function verdictOf(metric: 'throughput' | 'latency', findings: readonly Finding[], evidence: Evidence): Verdict {
  const withEffect = (effect: Effect): Reason[] =>
    findings.flatMap(({ rule, outcome }) => {
      const speaks = rule.scope === metric || rule.scope === 'both';
      if (!speaks || outcome.state !== 'tripped' || outcome.effect !== effect) return [];
      return [{ rule: rule.name, seen: outcome.seen, limit: rule.limit(evidence.thresholds), advice: rule.advice }];
    });
  const invalid = withEffect('invalid');
  const suspect = withEffect('suspect');
  return {
    state: invalid.length > 0 ? 'invalid' : suspect.length > 0 ? 'suspect' : 'valid',
    reasons: [...invalid, ...suspect],
    notes: withEffect('note'),
  };
}
