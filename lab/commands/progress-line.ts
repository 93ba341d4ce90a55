import stringWidth from 'string-width';
import { cut } from '../model/cut.ts';
import { fractionDone, remainingMs, type Activity, type Progress } from './progress-state.ts';

const longestBar = 16;
const shortestBar = 6;

/**
 * The live line, at most `width` columns: bar, share done, what runs now, the last rate, time left. The bar is as long
 * as the plan's longest name allows, so that it stands still; the rate is shown where it fits, and what runs now is cut
 * at last.
 */
export function liveLine(state: Progress, nowMs: number, width: number): string {
  const fraction = fractionDone(state);
  const left = ` · ${clock(remainingMs(state, nowMs))} left`;
  const done = `${percent(fraction)} `;
  const roomWithoutBar = width - stringWidth(done) - widestTime;
  const bar = barLength(roomWithoutBar - longestActivity(state));
  const head = bar === 0 ? done : `${barOf(fraction, bar)} ${done}`;
  const room = width - stringWidth(head) - stringWidth(left);
  const doing = cut(activityText(state.activity, state), Math.max(0, room));
  // Of the slice before the one that runs: its variant stands beside it.
  const { last } = state;
  const rate = last === null ? '' : ` · ${last.variant} ${number(last.requestsPerSecond)} req/s`;
  const fits = stringWidth(doing + rate) <= room;
  return cut(`${head}${doing}${fits ? rate : ''}${left}`, width);
}

/** ` · 59:59 left`: the bar must not change its length with the digits of the time. */
const widestTime = ' · 59:59 left'.length;

function barLength(room: number): number {
  const length = Math.min(longestBar, room - 1);
  return length < shortestBar ? 0 : length;
}

function longestActivity({ plan }: Progress): number {
  const slices = plan.generations.flatMap((generation) => generation.slices);
  return Math.max(0, ...slices.map((slice) => stringWidth(activityText({ kind: 'slice', slice }, { plan }))));
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
