import stringWidth from 'string-width';
import { fractionDone, remainingMs, type Activity, type Progress } from './progress-state.ts';

const longestBar = 16;
const shortestBar = 6;

/**
 * The live line, at most `width` columns: bar, share done, what runs now, the last rate, time left. On a narrow
 * terminal the rate goes first, then the bar; what runs now is cut at last.
 */
export function liveLine(state: Progress, nowMs: number, width: number): string {
  const fraction = fractionDone(state);
  const doing = activityText(state.activity, state);
  const left = `${clock(remainingMs(state, nowMs))} left`;
  const rate = state.lastRate === null ? [] : [`${number(state.lastRate)} req/s`];
  const text = (parts: readonly string[], bar: number): string =>
    [...(bar === 0 ? [] : [barOf(fraction, bar)]), percent(fraction), parts.join(' · ')].join(' ');
  const candidates = [
    text([doing, ...rate, left], longestBar),
    text([doing, ...rate, left], shortestBar),
    ...range(longestBar, shortestBar).map((bar) => text([doing, left], bar)),
    text([doing, left], 0),
  ];
  const fitting = candidates.find((line) => stringWidth(line) <= width);
  if (fitting !== undefined) return fitting;
  const room = width - stringWidth(text(['', left], 0));
  return cut(text([cut(doing, Math.max(1, room)), left], 0), width);
}

/** `products · 100 VUs · go · round 3/10`. */
export function activityText(activity: Activity, { plan }: Pick<Progress, 'plan'>): string {
  switch (activity.kind) {
    case 'preparing':
      return activity.line;
    case 'restart':
      return `restarting the APIs · generation ${activity.generation}/${plan.generations.length}`;
    case 'warmUp':
      return `warming up · ${activity.cell.endpoint} · ${activity.cell.variant}`;
    case 'slice': {
      const { cell, round } = activity.slice;
      return `${cell.endpoint} · ${cell.load.vus} VUs · ${cell.variant} · round ${round}/${plan.rounds}`;
    }
  }
}

/** `0:07`, `4:12`, `1:02:03`; whole seconds, rounded up. */
export function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}

/** ` 58 %`: always as wide, so that what follows stands still. 100 % only when all is done. */
export function percent(fraction: number): string {
  return `${String(Math.floor(fraction * 100)).padStart(3)} %`;
}

/** `12,345`. */
export function number(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function barOf(fraction: number, width: number): string {
  const full = Math.floor(fraction * width);
  return '━'.repeat(full) + '─'.repeat(width - full);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: from - to + 1 }, (_, index) => from - index);
}

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const character of text) {
    if (stringWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return width < 1 ? '' : `${kept}…`;
}
