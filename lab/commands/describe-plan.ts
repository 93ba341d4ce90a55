import type { Plan } from '../model/plan.ts';
import { loadId } from '../model/study.ts';

/** What `--dry-run` prints: the plan in words, then the first generation's order. */
export function describePlan(plan: Plan): string {
  const { study, generations, warmUpLimits } = plan;
  const [first] = generations;
  const count = generations.reduce((total, generation) => total + generation.slices.length, 0);
  const warmUps = generations.reduce((total, generation) => total + generation.warmUps.length, 0);
  const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;
  return [
    study.title,
    `  ${study.question}`,
    `variants    ${study.variants.map(({ id }) => id).join(', ')} (baseline: ${study.baseline})`,
    `endpoints   ${study.endpoints.join(', ')}`,
    `loads       ${study.loads.map(loadId).join(', ')}`,
    `cells       ${plan.cells.length}, each ${seconds(plan.durationMs)} in ${plan.rounds} rounds of ${seconds(plan.sliceMs)}`,
    `generations ${generations.length}${generations.length > 1 ? ', the APIs restarted before each but the first' : ''}`,
    `runs        ${count} slices and ${warmUps} warm-ups of ${seconds(warmUpLimits.minDurationMs)} to ${seconds(warmUpLimits.maxDurationMs)}`,
    `check       ${plan.check}`,
    `seed        ${plan.seed}`,
    `order of generation 1:`,
    ...(first?.slices ?? []).map(({ id, durationMs }) => `  ${id} ${seconds(durationMs)}`),
    '',
  ].join('\n');
}
