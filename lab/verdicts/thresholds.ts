import type { Thresholds } from '../model/contract.ts';
import type { SummaryFigures, ThresholdOutcome } from '../model/result.ts';
import { percent } from './wording.ts';

interface ThresholdDefinition {
  readonly expression: (thresholds: Thresholds) => string;
  readonly value: (figures: SummaryFigures) => number | null;
  readonly holds: (value: number, thresholds: Thresholds) => boolean;
}

/** The published protocol's three limits. A value on its limit has crossed it, as in k6's `<` and `>`. */
const definitions: Readonly<Record<ThresholdOutcome['name'], ThresholdDefinition>> = {
  p95: {
    expression: ({ load }) => `p95 < ${load.p95Ms} ms`,
    value: ({ latencyMs }) => latencyMs.p95,
    holds: (value, { load }) => value < load.p95Ms,
  },
  failed: {
    expression: ({ load }) => `failed < ${percent(load.failedRate)}`,
    value: ({ failedRate }) => failedRate,
    holds: (value, { load }) => value < load.failedRate,
  },
  checks: {
    expression: ({ load }) => `checks > ${percent(load.checksRate)}`,
    value: ({ checksRate }) => checksRate,
    holds: (value, { load }) => value > load.checksRate,
  },
};

/** A threshold in words, e.g. `p95 < 500 ms`. */
export function thresholdExpression(name: ThresholdOutcome['name'], thresholds: Thresholds): string {
  return definitions[name].expression(thresholds);
}

/** One threshold of a cell; `passed` is null where there was nothing to evaluate. */
export function thresholdOutcome(
  name: ThresholdOutcome['name'],
  figures: SummaryFigures,
  thresholds: Thresholds,
): ThresholdOutcome {
  const value = definitions[name].value(figures);
  return {
    name,
    expression: thresholdExpression(name, thresholds),
    value,
    passed: value === null ? null : definitions[name].holds(value, thresholds),
  };
}

/** All thresholds of a cell. A crossed one makes the lab's exit code 1, whatever the verdicts say. */
export function thresholdOutcomes(figures: SummaryFigures, thresholds: Thresholds): ThresholdOutcome[] {
  return (['p95', 'failed', 'checks'] as const).map((name) => thresholdOutcome(name, figures, thresholds));
}
