import pc from 'picocolors';
import type { Style } from './table.ts';

export type Painter = (text: string) => string;
/** A painter for each style, and for headings and alarms. */
export type Paint = Readonly<Record<Style | 'heading' | 'alarm', Painter>>;

/** Colours, or nothing at all. */
export function paintFor(colour: boolean): Paint {
  const colours = pc.createColors(colour);
  return {
    plain: (text) => text,
    strong: colours.bold,
    dim: colours.dim,
    good: colours.green,
    warn: colours.yellow,
    bad: colours.red,
    heading: colours.bold,
    alarm: (text) => colours.bold(colours.yellow(text)),
  };
}
