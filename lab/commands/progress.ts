import { createLogUpdate } from 'log-update';
import type { LabEvent } from '../model/events.ts';
import type { Plan } from '../model/plan.ts';
import { liveLine } from './progress-line.ts';
import { isLasting, Milestones } from './progress-milestones.ts';
import { advance, startProgress } from './progress-state.ts';

/** Where progress goes: stderr, so that the report on stdout can be piped. */
export type ProgressStream = Pick<NodeJS.WriteStream, 'write' | 'isTTY' | 'columns' | 'rows'> & NodeJS.WritableStream;

export interface ProgressView {
  /** Takes every event of the pipeline, in order. */
  readonly listen: (event: LabEvent) => void;
  /** Removes the live line; safe to call twice. */
  readonly close: () => void;
}

/** Redrawing costs CPU that the servers could use: once a second, and when something starts. */
const redrawMs = 1000;

/**
 * Shows how far a study is: one live line on a terminal, plain lines elsewhere (a generation each, not a run each).
 * After `signal` is aborted the terminal belongs to whoever reports the end, and only plain lines follow.
 */
export function openProgress(plan: Plan, stream: ProgressStream, signal?: AbortSignal): ProgressView {
  let state = startProgress(plan, performance.now());
  const milestones = new Milestones();
  let live = isLive(stream) ? openLiveLine(stream, () => state) : null;
  const leave = (): void => {
    live?.leave();
    live = null;
  };
  signal?.addEventListener('abort', leave, { once: true });
  return {
    listen: (event) => {
      const nowMs = performance.now();
      state = advance(state, event, nowMs);
      const lines = milestones.linesOf(event, state, nowMs);
      if (live === null) for (const line of lines) stream.write(`${line}\n`);
      else if (isLasting(event)) live.print(lines);
      else if (!event.kind.endsWith('-ended')) live.draw();
    },
    close: () => {
      signal?.removeEventListener('abort', leave);
      live?.close();
      live = null;
    },
  };
}

function isLive(stream: ProgressStream): boolean {
  return stream.isTTY && process.env.TERM !== 'dumb';
}

interface LiveLine {
  draw(): void;
  /** Lines that stay, above the live one. */
  print(lines: readonly string[]): void;
  /** Ends with the line erased. */
  close(): void;
  /** Ends with everything left as it is: others may have written below. */
  leave(): void;
}

/**
 * The cursor is never hidden and no mode of the terminal is changed: whatever ends the process, kill -9 included, there
 * is nothing to restore.
 */
function openLiveLine(stream: ProgressStream, stateNow: () => ReturnType<typeof startProgress>): LiveLine {
  const update = createLogUpdate(stream, { showCursor: true });
  const draw = (): void => {
    // 0: a terminal that does not know its size. One column stays free: a full line would wrap on some terminals.
    const columns = stream.columns || 80;
    update(liveLine(stateNow(), performance.now(), Math.max(1, columns - 1)));
  };
  const timer = setInterval(draw, redrawMs);
  timer.unref();
  draw();
  return {
    draw,
    print: (lines) => {
      update.clear();
      for (const line of lines) stream.write(`${line}\n`);
      draw();
    },
    close: () => {
      clearInterval(timer);
      update.clear();
    },
    leave: () => {
      clearInterval(timer);
      update.done();
    },
  };
}
