import { z } from 'zod';

/** How requests are made; k6's executor names. Further executors come with the studies that need them. */
export const Load = z.strictObject({
  executor: z.literal('constant-vus'),
  vus: z.int().min(1).max(10_000),
});
export type Load = z.infer<typeof Load>;

/** A load's name in ids, file names and tables: `constant-vus-20`. */
export function loadId(load: Load): string {
  return `${load.executor}-${load.vus}`;
}

export const Variant = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string().min(1),
  stack: z.string().min(1),
  /** Environment variables added to the stack's own. */
  environment: z.record(z.string(), z.string()).default({}),
});
export type Variant = z.infer<typeof Variant>;

/** A published figure, kept as data. */
export const Claim = z.strictObject({
  id: z.string().min(1),
  variant: z.string(),
  endpoint: z.string(),
  load: Load,
  metric: z.enum(['requestsPerSecond']),
  value: z.number(),
});

/** studies/<id>/study.json. */
export const Study = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(/^[a-z][a-z0-9-]*$/),
  title: z.string().min(1),
  question: z.string().min(1),
  variants: z.array(Variant).min(1),
  baseline: z.string(),
  endpoints: z.array(z.string()).min(1),
  loads: z.array(Load).min(1),
  /** A cell's measured time over all rounds. */
  durationMs: z.int().min(100),
  rounds: z.int().min(1).max(50),
  published: z
    .strictObject({
      description: z.string(),
      totals: z.strictObject({
        requests: z.int(),
        runs: z.int(),
        failedRate: z.number(),
        checksRate: z.number(),
        highestP95Ms: z.number(),
      }),
      claims: z.array(Claim),
    })
    .optional(),
});
export type Study = z.infer<typeof Study>;
