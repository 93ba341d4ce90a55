import type { ResultSet, ServerFingerprint } from '../model/result.ts';
import { formatDuration, formatNumber, notAvailable } from './format-number.ts';
import { cpus, memory } from './manifest.ts';
import { cell, type Table } from './table.ts';

/** Everything that a number needs beside it: name and value. */
export function provenanceTable(set: ResultSet): Table {
  const entries = [...methodOf(set), ...machineOf(set), ...serversOf(set), ...hopByHopOf(set)];
  return {
    columns: [
      { title: 'what', align: 'left' },
      { title: 'value', align: 'left' },
    ],
    rows: entries.map(([name, value]) => [cell(name), cell(value)]),
  };
}

type Entry = readonly [string, string];

function methodOf({ id, plan, provenance, finishedAt }: ResultSet): Entry[] {
  const { generator, commit, dirty } = provenance;
  const limits = plan.warmUpLimits;
  const tree = dirty === null ? '' : dirty ? ', with changes' : ', clean tree';
  return [
    ['set', id],
    ['study', plan.study.id],
    ['command line', provenance.commandLine.join(' ')],
    ['loadlab', provenance.loadlabVersion],
    ['commit', commit === null ? notAvailable : `${commit}${tree}`],
    ['contract sha256', provenance.contractSha256],
    ['started', provenance.startedAt],
    ['finished', finishedAt],
    ['generator', `${generator.name} ${generator.version}${settingsOf(generator.settings)}`],
    ['generator chosen', generator.chosen],
    ['check', generator.check],
    [
      'rounds',
      `${plan.rounds} in ${plan.generations.length} ${plan.generations.length === 1 ? 'generation' : 'generations'}, ${formatDuration(plan.sliceMs)} a slice`,
    ],
    ['seed of the order', String(plan.seed)],
    [
      'warm-up',
      `until ${formatDuration(limits.minDurationMs)} and ${formatNumber(limits.minRequests, 0)} requests, ` +
        `at most ${formatDuration(limits.maxDurationMs)}`,
    ],
  ];
}

function machineOf({ provenance: { host, environment } }: ResultSet): Entry[] {
  return [
    ['CPU', `${host.cpuModel}, ${host.cores} cores, ${quotaOf(host.cpuQuota)}`],
    ['memory', `${formatNumber(host.memoryBytes / 1e9, 1)} GB`],
    ['system', `${host.os}, ${host.kernel}`],
    ['load average before', formatNumber(host.loadAverage, 2)],
    ['environment', `${environment.name} (${environment.chosen})`],
    ['scheduling groups', environment.schedulingGroups],
    ...engineOf(environment.engine),
    ...(environment.sameHost === undefined
      ? []
      : [['generator and servers', environment.sameHost ? 'on one machine' : 'on different machines'] as const]),
  ];
}

function engineOf(engine: ResultSet['provenance']['environment']['engine']): Entry[] {
  if (engine === undefined) return [];
  const { name, version, composeVersion, cgroupVersion, storageDriver } = engine;
  const rest = `control groups v${cgroupVersion}, storage ${storageDriver}`;
  return [['engine', `${name} ${version}, docker compose ${composeVersion}, ${rest}`]];
}

function serversOf({ provenance }: ResultSet): Entry[] {
  return Object.entries(provenance.environment.servers).map(([component, server]) => [component, serverText(server)]);
}

function serverText(server: ServerFingerprint): string {
  const { name, version, parallelism, cpuQuota, pools } = server;
  // Remote servers: null says nothing where nobody says it.
  const { cpuQuota: unknownQuota, ...settings } = server.settings;
  const parts = [
    `${name} ${version}`,
    `parallelism ${formatNumber(parallelism, 0)}`,
    unknownQuota === undefined ? quotaOf(cpuQuota) : `CPU quota ${unknownQuota}`,
    ...containerOf(server),
    ...(pools === null ? [] : [`pools: ${pools.database} database, ${pools.redis} Redis`]),
  ];
  return parts.join(', ') + settingsOf(settings);
}

function containerOf({ limits, image }: ServerFingerprint): string[] {
  return [
    ...(limits === undefined
      ? []
      : [
          `limits: ${cpus(limits.cpus)}, memory ${memory(limits.memoryBytes)}`,
          ...(limits.cpuset === null ? [] : [`CPUs ${limits.cpuset}`]),
        ]),
    ...(image === undefined ? [] : [`image ${image.name} ${image.digest ?? image.id}`]),
  ];
}

/** Headers that may differ between variants, as each sent them. */
function hopByHopOf({ parity }: ResultSet): Entry[] {
  const seen = new Map<string, string>();
  for (const { hopByHop } of parity) {
    for (const [variant, headers] of Object.entries(hopByHop)) {
      const text = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      if (!seen.has(variant)) seen.set(variant, text.join(', ') || 'none');
    }
  }
  return [...seen].map(([variant, text]) => [`hop-by-hop headers of ${variant}`, text]);
}

function quotaOf(cpuQuota: number | null): string {
  return cpuQuota === null ? 'no CPU quota' : `CPU quota ${formatNumber(cpuQuota, 2)}`;
}

function settingsOf(settings: Readonly<Record<string, string>>): string {
  const entries = Object.entries(settings);
  return entries.length === 0 ? '' : ` (${entries.map(([name, value]) => `${name}=${value}`).join(', ')})`;
}
