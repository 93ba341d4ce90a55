import type { Contestant, Run, Sample } from './contestant.ts';

/** How long one contestant runs before it is another's turn. */
const turnSeconds = 0.25;

/**
 * Runs contestants whose processes live on for `run.seconds` each, in short turns, AB BA …: the speed of a shared machine may
 * double within a second, which two long runs would take for a difference between the generators.
 * @returns each one's turns as one sample, by name
 */
export async function runInTurns(contestants: readonly Contestant[], run: Run): Promise<Map<string, Sample>> {
  const samples = new Map<string, Sample[]>(contestants.map(({ name }) => [name, []]));
  const turns = Math.ceil(run.seconds / turnSeconds);
  for (let turn = 0; turn < turns; turn += 1) {
    for (const contestant of turn % 2 === 0 ? contestants : contestants.toReversed()) {
      samples.get(contestant.name)?.push(await contestant.run({ ...run, seconds: turnSeconds }));
    }
  }
  return new Map([...samples].map(([name, parts]) => [name, together(parts)]));
}

/** Turns, not necessarily of one length, as one sample. */
export function together(parts: readonly Sample[]): Sample {
  const sum = (of: (part: Sample) => number): number => parts.reduce((total, part) => total + of(part), 0);
  const requests = sum((part) => part.requests);
  const counted = parts.filter(({ requestsPerSecond }) => requestsPerSecond > 0);
  const seconds = counted.reduce((total, part) => total + part.requests / part.requestsPerSecond, 0);
  const isKnown = requests > 0 && parts.every(({ cpuMicrosPerRequest }) => cpuMicrosPerRequest !== null);
  return {
    requests,
    requestsPerSecond: seconds === 0 ? 0 : requests / seconds,
    cpuMicrosPerRequest: isKnown ? sum((part) => (part.cpuMicrosPerRequest ?? 0) * part.requests) / requests : null,
  };
}
