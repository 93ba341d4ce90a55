import type { Limits, ResultSet, ServerFingerprint } from '../model/result.ts';
import { formatNumber, notAvailable } from './format-number.ts';
import { cell, type Table } from './table.ts';

/** A thing that every variant has, and whether a fair comparison wants it alike. */
interface Item {
  readonly what: string;
  readonly of: (server: ServerFingerprint) => string;
  readonly mustBeAlike: boolean;
}

const items: readonly Item[] = [
  { what: 'stack', of: ({ name, version }) => `${name} ${version}`, mustBeAlike: false },
  { what: 'runtime', of: ({ settings }) => settings.runtime ?? notAvailable, mustBeAlike: false },
  { what: 'processes', of: ({ settings }) => settings.processes ?? '1', mustBeAlike: false },
  { what: 'parallelism', of: ({ parallelism }) => formatNumber(parallelism, 0), mustBeAlike: true },
  { what: 'CPU quota', of: quotaOf, mustBeAlike: true },
  { what: 'CPUs by number', of: (server) => limitOf(server, ({ cpuset }) => cpuset ?? 'all'), mustBeAlike: true },
  {
    what: 'memory limit',
    of: (server) => limitOf(server, ({ memoryBytes }) => memory(memoryBytes)),
    mustBeAlike: true,
  },
  { what: 'database pool', of: ({ pools }) => formatNumber(pools?.database ?? null, 0), mustBeAlike: true },
  { what: 'Redis connections', of: ({ pools }) => formatNumber(pools?.redis ?? null, 0), mustBeAlike: true },
  {
    what: 'prepared statements',
    of: ({ settings }) => settings.preparedStatements ?? notAvailable,
    mustBeAlike: true,
  },
  { what: 'image', of: ({ image }) => image?.id.slice(0, 'sha256:'.length + 12) ?? notAvailable, mustBeAlike: false },
];

/** What each variant was and could use, side by side, and whether that is alike where a fair comparison wants it. */
export function manifestTable(set: ResultSet): Table {
  const servers = apisOf(set);
  return {
    columns: [
      { title: 'what', align: 'left' },
      ...servers.map(({ title }) => ({ title, align: 'left' }) as const),
      { title: 'alike', align: 'left' },
    ],
    rows:
      servers.length === 0
        ? []
        : items.map((item) => [
            cell(item.what),
            ...servers.map(({ server }) => cell(item.of(server))),
            cell(item.mustBeAlike && isKnown(item, servers) ? (isAlike(item, servers) ? 'yes' : 'no') : ''),
          ]),
  };
}

/** What should be alike and is not, one line each. */
export function unequalItems(set: ResultSet): string[] {
  const servers = apisOf(set);
  return items
    .filter((item) => item.mustBeAlike && isKnown(item, servers) && !isAlike(item, servers))
    .map(({ what, of }) => `${what}: ${servers.map(({ title, server }) => `${title} ${of(server)}`).join(', ')}`);
}

/** The quota of each API, where one is below what the machine has; null where none is. */
export function quotaSentence(set: ResultSet): string | null {
  const { cores } = set.provenance.host;
  const servers = apisOf(set);
  const isBelow = servers.some(({ server }) => (server.cpuQuota ?? Infinity) < cores);
  return isBelow ? servers.map(({ title, server }) => `${title} ${cpus(server.cpuQuota)}`).join(', ') : null;
}

function apisOf({ plan, provenance }: ResultSet): { title: string; server: ServerFingerprint }[] {
  return plan.study.variants.flatMap(({ id, title }) => {
    const server = provenance.environment.servers[`api:${id}`];
    return server === undefined ? [] : [{ title, server }];
  });
}

function isKnown({ of }: Item, servers: readonly { readonly server: ServerFingerprint }[]): boolean {
  return servers.every(({ server }) => of(server) !== notAvailable);
}

/** A quota that nobody tells is not none. */
function quotaOf({ cpuQuota, limits, settings }: ServerFingerprint): string {
  return settings.cpuQuota === undefined ? cpus(cpuQuota ?? limits?.cpus ?? null) : notAvailable;
}

/** Processes have no container whose limits could be told. */
function limitOf({ limits }: ServerFingerprint, text: (limits: Limits) => string): string {
  return limits === undefined ? notAvailable : text(limits);
}

function isAlike({ of }: Item, servers: readonly { readonly server: ServerFingerprint }[]): boolean {
  return new Set(servers.map(({ server }) => of(server))).size <= 1;
}

/** `0.5 CPU`, `2 CPUs`. */
export function cpus(count: number | null): string {
  if (count === null) return 'none';
  return `${Number(count.toFixed(2))} ${count <= 1 ? 'CPU' : 'CPUs'}`;
}

/** `1 GiB`, `300 MiB`. */
export function memory(bytes: number | null): string {
  if (bytes === null) return 'none';
  const gibibytes = bytes / 1024 ** 3;
  return Number.isInteger(gibibytes) ? `${gibibytes} GiB` : `${formatNumber(bytes / 1024 ** 2, 0)} MiB`;
}
