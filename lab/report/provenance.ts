import type { ResultSet } from '../model/result.ts';
import type { Line } from './line.ts';
import { quotaSentence } from './manifest.ts';
import { formatDuration, formatNumber, formatShare, formatTime } from './format-number.ts';

/** Above this share the generator, not the servers, decides much of the ratio. */
export const largeShare = 0.5;

/** Whether the generator could take anything from the servers: not on a machine of its own. */
export function hasShare({ provenance }: ResultSet): boolean {
  return provenance.environment.sameHost !== false;
}

/** Machine, generator and method, one line each. */
export function provenanceLines(set: ResultSet): Line[] {
  const { provenance, plan } = set;
  const { host, environment, generator, commit, dirty, startedAt } = provenance;
  const cpu = host.cpuModel.replaceAll(/\((R|TM)\)/g, '').replaceAll(/\s+/g, ' ');
  const tree = commit === null ? 'no commit' : `commit ${commit.slice(0, 7)}${dirty === true ? ' + changes' : ''}`;
  const rounds = `${plan.rounds} ${plan.rounds === 1 ? 'round' : 'rounds'} × ${formatDuration(plan.sliceMs)}`;
  const quota = quotaSentence(set);
  const line = (label: string, ...parts: readonly string[]): Line => ({ label, text: parts.join(' · ') });
  return [
    line('Machine', cpu, `${host.cores} cores`, whereOf(environment), formatTime(startedAt)),
    ...(quota === null ? [] : [line('CPU quota', quota)]),
    line('Generator', `${generator.name} ${generator.version}`, `check ${generator.check}`),
    line('Method', rounds, `seed ${plan.seed}`, tree),
  ];
}

/** `native`; `compose, Docker 28.2.2`; `remote, servers elsewhere`: then the machine is the generator's alone. */
function whereOf({ name, engine, sameHost }: ResultSet['provenance']['environment']): string {
  const where = engine === undefined ? name : `${name}, ${engine.name} ${engine.version}`;
  return sameHost === false ? `${where}, servers elsewhere` : where;
}

/** What the generator's own CPU did to the ratios; null where it was not sampled. */
export function generatorShareSentence(set: ResultSet): { readonly text: string; readonly large: boolean } | null {
  if (!hasShare(set)) return null;
  const shares = set.summaries.flatMap((summary) => summary.generatorShare ?? []);
  if (shares.length === 0) return null;
  const [least, most] = [Math.min(...shares), Math.max(...shares)];
  const from = formatShare(least) === formatShare(most) ? '' : `${formatNumber(least * 100, 0)}–`;
  const seen = `The generator took ${from}${formatShare(most)} of all components’ CPU time (s)`;
  if (most <= largeShare) return { text: `${seen}.`, large: false };
  const where = least > largeShare ? 'that is more than half, so' : 'where that is more than half,';
  return {
    text: `${seen}; ${where} ratios are probably compressed: read them as at least that far from 1.`,
    large: true,
  };
}

/** What an interval says, in one sentence; null where no row has one. */
export function intervalSentence({ comparisons }: ResultSet): string | null {
  const confidences = comparisons.flatMap(({ interval }) => interval?.confidence ?? []);
  if (confidences.length === 0) return null;
  const least = formatNumber(Math.min(...confidences) * 100, 1);
  return (
    `Interval: made this way, at least ${least} of 100 hold the ratio that endless rounds on this machine would give; ` +
    'it says nothing about other machines.'
  );
}
