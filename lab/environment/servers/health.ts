import { z } from 'zod';
import { getText } from './get-text.ts';

/** What every stack answers on /health, as docs/api.md says. Further fields are the stack's own. */
export const Health = z.object({
  status: z.string(),
  stack: z.string(),
  nonce: z.string(),
  version: z.string(),
  pid: z.int(),
  runtime: z.object({
    name: z.string(),
    version: z.string(),
    parallelism: z.number(),
    cpuQuota: z.number().nullish(),
    /** Of the stack behind this URL, each with pools of its own; 1 where it does not say. */
    processes: z.int().min(1).optional(),
  }),
  pools: z.object({ database: z.int(), redis: z.int() }),
  preparedStatements: z.boolean(),
  contractVersion: z.int(),
  ready: z.boolean().optional(),
  database: z.string().optional(),
  cache: z.string().optional(),
  seedVersion: z.string().nullish(),
});
export type Health = z.infer<typeof Health>;

export interface HealthAnswer {
  readonly status: number;
  /** null: the body is not what a stack answers. */
  readonly health: Health | null;
  /** The first characters of a body that was not understood. */
  readonly excerpt: string;
}

/** Rejects when nobody answers within 3 s. */
export async function askHealth(baseUrl: string, ready: boolean, signal: AbortSignal): Promise<HealthAnswer> {
  const { status, text } = await getText(`${baseUrl}/health${ready ? '?ready=1' : ''}`, signal);
  return { status, health: parse(text), excerpt: text.slice(0, 200) };
}

function parse(text: string): Health | null {
  try {
    return Health.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
