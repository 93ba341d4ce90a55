import { appendFileSync } from 'node:fs';
import { messageOf } from '../model/errors.ts';
import type { LabEvent } from '../model/events.ts';
import { loadId } from '../model/study.ts';
import type { Cell } from '../model/plan.ts';

/** A set's log: it explains a set later; nothing reads it. */
export interface Log {
  /** One line with the time (UTC). */
  event(event: LabEvent): void;
  /** Lines of somebody else's output, indented under a heading. */
  output(heading: string, lines: readonly string[]): void;
}

/** A log that cannot be written is said once, on standard error, and never ends a study. */
export function openLog(file: string): Log {
  let failed = false;
  const append = (text: string): void => {
    try {
      appendFileSync(file, `${new Date().toISOString()} ${text}\n`);
    } catch (error) {
      if (!failed) process.stderr.write(`warning: cannot write ${file}: ${messageOf(error)}\n`);
      failed = true;
    }
  };
  return {
    event: (event) => {
      append(describe(event));
    },
    output: (heading, lines) => {
      if (lines.length > 0) append([heading, ...lines].join('\n  | '));
    },
  };
}

function describe(event: LabEvent): string {
  switch (event.kind) {
    case 'environment':
    case 'warning':
      return `${event.kind}: ${event.line}`;
    case 'parity':
      return `parity of ${event.result.endpoint}: ${event.result.difference ?? 'the same bytes'}`;
    case 'restart-started':
    case 'restart-ended':
      return `${event.kind}: generation ${event.generation}`;
    case 'warm-up-started':
      return `warm-up of ${nameOf(event.warmUp.cell)} started`;
    case 'warm-up-ended':
      return `warm-up of ${nameOf(event.record.warmUp.cell)} ${ended(event.record)}`;
    case 'slice-started':
      return `slice ${event.slice.id} started`;
    case 'slice-ended':
      return `slice ${event.record.slice.id} ${ended(event.record)}`;
    case 'saved':
      return `saved, ${event.status}`;
  }
}

function nameOf(cell: Cell): string {
  return `${cell.variant} ${cell.endpoint} ${loadId(cell.load)}`;
}

type Ended = Extract<LabEvent, { kind: 'slice-ended' | 'warm-up-ended' }>['record'];

function ended({ measurement, failure }: Ended): string {
  if (measurement === null) return `failed: ${failure?.code ?? ''} ${failure?.message ?? ''}`;
  return `ended: ${measurement.requests} requests in ${measurement.windowMs.toFixed(0)} ms, ${measurement.failedRequests} failed`;
}
