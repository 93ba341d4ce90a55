import { z } from 'zod';
import { getText } from './get-text.ts';

/** What every stack answers on /stats, as docs/api.md says. */
export const Stats = z.object({
  pid: z.int(),
  cpuUserMicros: z.number().min(0),
  cpuSystemMicros: z.number().min(0),
  residentBytes: z.number().min(0),
  peakResidentBytes: z.number().min(0),
});
export type Stats = z.infer<typeof Stats>;

/** Rejects when nobody answers within 3 s, or with something else. */
export async function askStats(baseUrl: string, signal: AbortSignal): Promise<Stats> {
  const { status, text } = await getText(`${baseUrl}/stats`, signal);
  try {
    return Stats.parse(JSON.parse(text));
  } catch {
    throw new Error(`status ${status} with a body that no stack answers: ${text.slice(0, 100)}`);
  }
}
