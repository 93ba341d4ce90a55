import type { LabEvent } from '../model/events.ts';
import type { SliceRecord } from '../model/measurement.ts';
import type { Plan, Slice } from '../model/plan.ts';
import { loadId } from '../model/study.ts';
import { clock, number, percent } from './progress-line.ts';
import { fractionDone, remainingMs, type Progress } from './progress-state.ts';

/**
 * What is worth a line of its own in a log: of a study's runs, one line a generation; where there is only one, a line for two
 * rounds, or an (endpoint, load) where there are no more than two.
 */
export class Milestones {
  readonly #records = new Map<string, SliceRecord[]>();

  /** The lines that an event brings, given the state after it. */
  linesOf(event: LabEvent, state: Progress, nowMs: number): string[] {
    switch (event.kind) {
      case 'environment':
        return [event.line];
      case 'warning':
        return [`warning: ${event.line}`];
      case 'parity':
        return [parityLine(event.result)];
      case 'saved':
        return [`saved${event.status === 'partial' ? ' (partial)' : ''}: ${event.folder}`];
      case 'warm-up-ended':
        return failureLine(event.record.warmUp.id, event.record.failure);
      case 'slice-ended':
        return [
          ...failureLine(event.record.slice.id, event.record.failure),
          ...this.#groupLine(event.record, state, nowMs),
        ];
      case 'restart-started':
      case 'restart-ended':
      case 'warm-up-started':
      case 'slice-started':
        return [];
    }
  }

  #groupLine(record: SliceRecord, state: Progress, nowMs: number): string[] {
    const group = groupOf(record.slice, state.plan);
    const records = [...(this.#records.get(group) ?? []), record];
    this.#records.set(group, records);
    const planned = state.plan.generations.flatMap(({ slices }) => slices);
    if (records.length < planned.filter((slice) => groupOf(slice, state.plan) === group).length) return [];
    const left = remainingMs({ ...state, activitySinceMs: nowMs }, nowMs);
    const rest = left === 0 ? '' : ` · about ${clock(left)} left`;
    return [`${percent(fractionDone(state))}  ${group}: ${summary(records, state.plan)}${rest}`];
  }
}

/** Events that are worth a line also where a live line shows the rest. */
export function isLasting(event: LabEvent): boolean {
  switch (event.kind) {
    case 'warning':
    case 'saved':
      return true;
    case 'parity':
      return !event.result.passed;
    case 'slice-ended':
    case 'warm-up-ended':
      return event.record.failure !== null;
    default:
      return false;
  }
}

function groupOf(slice: Slice, plan: Plan): string {
  if (plan.generations.length > 1) return `generation ${slice.generation} of ${plan.generations.length}`;
  if (plan.rounds <= 2) return `${slice.cell.endpoint}, ${slice.cell.load.vus} VUs`;
  const first = slice.round - 1 + (slice.round % 2);
  return `rounds ${first}–${Math.min(first + 1, plan.rounds)} of ${plan.rounds}`;
}

function summary(records: readonly SliceRecord[], plan: Plan): string {
  const measured = records.flatMap(({ slice, measurement }) => (measurement === null ? [] : [{ slice, measurement }]));
  const places = new Set(records.map(({ slice }) => `${slice.cell.endpoint} ${loadId(slice.cell.load)}`));
  if (places.size > 1) {
    const requests = measured.reduce((sum, { measurement }) => sum + measurement.requests, 0);
    const failed = measured.reduce((sum, { measurement }) => sum + measurement.failedRequests, 0);
    return `${records.length} runs, ${number(requests)} requests, ${number(failed)} failed`;
  }
  const variants = plan.study.variants.map(({ id }) => {
    const own = measured.filter(({ slice }) => slice.cell.variant === id).map(({ measurement }) => measurement);
    const windowMs = own.reduce((sum, { windowMs: ms }) => sum + ms, 0);
    const requests = own.reduce((sum, measurement) => sum + measurement.requests, 0);
    return `${id} ${windowMs === 0 ? 'n/a' : `${number((requests / windowMs) * 1000)} req/s`}`;
  });
  return variants.join(', ');
}

function failureLine(id: string, failure: SliceRecord['failure']): string[] {
  return failure === null ? [] : [`warning: ${id} failed: ${failure.message}`];
}

function parityLine({
  endpoint,
  passed,
  difference,
  bodyBytes,
}: Extract<LabEvent, { kind: 'parity' }>['result']): string {
  if (!passed) return `parity: ${endpoint} DIFFERS, it will not be loaded: ${difference ?? 'no reason given'}`;
  return `parity: ${endpoint} is the same from every variant (${bodyBytes === null ? 'n/a' : number(bodyBytes)} bytes)`;
}
