import type { Provenance, ResultHeader, ServerFingerprint } from '../model/result.ts';
import type { EnvironmentDifference } from '../model/set-comparison.ts';

interface Field {
  readonly field: string;
  readonly value: string | null;
  readonly isDecisive: boolean;
}

/** What differs between two sets in what was done and where, decisive ones first. Empty: they may be compared without a word. */
export function environmentDifferences(
  before: Pick<ResultHeader, 'provenance' | 'plan'>,
  after: Pick<ResultHeader, 'provenance' | 'plan'>,
): EnvironmentDifference[] {
  const [old, new_] = [before, after].map((set) => new Map(fieldsOf(set).map((field) => [field.field, field])));
  if (old === undefined || new_ === undefined) return [];
  const names = [...new Set([...old.keys(), ...new_.keys()])];
  return names
    .map((field) => ({
      field,
      before: old.get(field)?.value ?? null,
      after: new_.get(field)?.value ?? null,
      isDecisive: (old.get(field) ?? new_.get(field))?.isDecisive ?? false,
    }))
    .filter((difference) => difference.before !== difference.after)
    .sort((a, b) => Number(b.isDecisive) - Number(a.isDecisive));
}

function fieldsOf({ provenance, plan }: Pick<ResultHeader, 'provenance' | 'plan'>): Field[] {
  const { host, environment, generator } = provenance;
  return [
    decisive('study', plan.study.id),
    decisive('contract', provenance.contractSha256.slice(0, 12)),
    decisive('environment', environment.name),
    // The machine below is the generator's; of the servers' own only their URLs are known.
    ...(environment.name === 'remote' ? [decisive('servers', environment.chosen)] : []),
    decisive('scheduling groups', environment.schedulingGroups),
    decisive('generator', generator.name),
    decisive('check', generator.check),
    decisive('CPU', host.cpuModel),
    decisive('cores', host.cores),
    decisive('CPU quota of the lab', host.cpuQuota ?? 'none'),
    decisive('generator and servers on one machine', environment.sameHost ?? true),
    told('slice', `${plan.sliceMs} ms`),
    told('generator version', generator.version),
    told('memory', host.memoryBytes),
    told('kernel', host.kernel),
    told('system', host.os),
    told('commit', provenance.commit),
    told('uncommitted changes', provenance.dirty === null ? null : provenance.dirty ? 'yes' : 'no'),
    told('rounds', plan.rounds),
    ...engineFields(environment.engine),
    ...Object.entries(environment.servers).flatMap(([component, server]) => serverFields(component, server)),
  ];
}

function engineFields(engine: Provenance['environment']['engine']): Field[] {
  if (engine === undefined) return [];
  const { name, version, composeVersion, cgroupVersion, storageDriver } = engine;
  return [
    told('engine', `${name} ${version}`),
    told('docker compose', composeVersion),
    told('control groups', `v${cgroupVersion}`),
    told('storage driver', storageDriver),
  ];
}

function serverFields(component: string, server: ServerFingerprint): Field[] {
  const of = (name: string): string => `${component}: ${name}`;
  const { limits, pools } = server;
  return [
    decisive(of('server'), server.name),
    decisive(of('parallelism'), server.parallelism ?? 'not said'),
    decisive(of('CPU quota'), server.cpuQuota ?? server.settings.cpuQuota ?? 'none'),
    ...(limits === undefined
      ? []
      : [
          decisive(of('limits.cpus'), limits.cpus ?? 'none'),
          decisive(of('limits.memoryBytes'), limits.memoryBytes ?? 'none'),
          decisive(of('limits.cpuset'), limits.cpuset ?? 'all'),
        ]),
    ...(pools === null ? [] : [decisive(of('pools'), `${pools.database} database, ${pools.redis} Redis`)]),
    told(of('version'), server.version),
    ...Object.entries(server.settings).map(([name, value]) => told(of(name), value)),
    ...(server.image === undefined ? [] : [told(of('image'), server.image.id.slice(0, 'sha256:'.length + 12))]),
  ];
}

function decisive(field: string, value: string | number | boolean | null): Field {
  return { field, value: value === null ? null : String(value), isDecisive: true };
}

/** What is often the very thing that one compares: shown, and no reason to refuse. */
function told(field: string, value: string | number | null): Field {
  return { field, value: value === null ? null : String(value), isDecisive: false };
}
