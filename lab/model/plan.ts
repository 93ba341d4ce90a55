import { z } from 'zod';
import { Load, Study } from './study.ts';

export const GeneratorName = z.enum(['k6', 'builtin']);
export type GeneratorName = z.infer<typeof GeneratorName>;

/** How a body is checked under load: parsed as JSON (the published way), byte for byte, or not at all. */
export const CheckMode = z.enum(['json', 'bytes', 'none']);
export type CheckMode = z.infer<typeof CheckMode>;

export const EnvironmentName = z.enum(['native', 'compose', 'remote']);
export type EnvironmentName = z.infer<typeof EnvironmentName>;

/** What one row of results is about. */
export const Cell = z.strictObject({ variant: z.string(), endpoint: z.string(), load: Load });
export type Cell = z.infer<typeof Cell>;

/** One cell, measured once, in one round. `id` is unique in a set and safe as a file name. */
export const Slice = z.strictObject({
  id: z.string(),
  /** 1-based. */
  generation: z.int().min(1),
  /** 1-based, over the whole study: two rounds a generation. */
  round: z.int().min(1),
  cell: Cell,
  durationMs: z.int().min(1),
});
export type Slice = z.infer<typeof Slice>;

/** A process × endpoint, loaded until it is warm; kept, flagged, never counted. */
export const WarmUp = z.strictObject({ id: z.string(), generation: z.int().min(1), cell: Cell });
export type WarmUp = z.infer<typeof WarmUp>;

export const WarmUpLimits = z.strictObject({
  /** Both must be reached … */
  minDurationMs: z.int(),
  minRequests: z.int(),
  /** … but never longer than this. */
  maxDurationMs: z.int(),
});
export type WarmUpLimits = z.infer<typeof WarmUpLimits>;

/** A generation's work in order: restart, then all warm-ups, then the slices. */
export const Generation = z.strictObject({
  number: z.int().min(1),
  warmUps: z.array(WarmUp),
  slices: z.array(Slice),
});
export type Generation = z.infer<typeof Generation>;

/** study × contract, turned into ordered runs. Everything that decides the order is in it. */
export const Plan = z.strictObject({
  study: Study,
  seed: z.int().min(0),
  rounds: z.int().min(1),
  /** A cell's measured time, all rounds together. */
  durationMs: z.int(),
  sliceMs: z.int(),
  check: CheckMode,
  /** True for `make quick`: a first look, marked as such. */
  firstLook: z.boolean(),
  warmUpLimits: WarmUpLimits,
  cells: z.array(Cell),
  generations: z.array(Generation),
});
export type Plan = z.infer<typeof Plan>;
