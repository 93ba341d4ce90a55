import { readFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type as osType } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { cpuQuotaOf, type EnvironmentSite } from '../environment/index.ts';
import type { Environment } from '../model/environment.ts';
import type { Generator } from '../model/generator.ts';
import type { CheckMode } from '../model/plan.ts';
import type { Provenance } from '../model/result.ts';

/** What the pipeline knows when it asks for the provenance. */
export interface ProvenanceFacts {
  readonly root: string;
  readonly commandLine: readonly string[];
  readonly startedAt: Date;
  readonly environment: Environment;
  readonly site: Pick<EnvironmentSite, 'chosen' | 'sameHost'>;
  readonly generator: Generator;
  readonly generatorChosen: string;
  readonly check: CheckMode;
  readonly contractSha256: string;
  /** 1-minute load average, read before anything was started. */
  readonly loadAverage: number | null;
}

/** Everything that a number needs beside it; what cannot be had is null. */
export async function provenanceOf(facts: ProvenanceFacts): Promise<Provenance> {
  const { environment, generator } = facts;
  return {
    loadlabVersion: loadlabVersion(facts.root),
    commandLine: [...facts.commandLine],
    ...(await commitOf(facts.root)),
    startedAt: facts.startedAt.toISOString(),
    host: {
      cpuModel: cpus()[0]?.model.trim() ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
      kernel: `${osType()} ${release()}`,
      os: osName(),
      cpuQuota: await cpuQuotaOf('self'),
      loadAverage: facts.loadAverage,
    },
    environment: {
      name: environment.name,
      chosen: facts.site.chosen,
      schedulingGroups: environment.schedulingGroups,
      ...(environment.engine === null ? {} : { engine: environment.engine }),
      sameHost: facts.site.sameHost,
      servers: await environment.fingerprint(),
    },
    generator: {
      name: generator.name,
      version: generator.version,
      chosen: facts.generatorChosen,
      check: facts.check,
      settings: { ...generator.settings },
    },
    contractSha256: facts.contractSha256,
  };
}

/** 1-minute load average; null where the system has none (Windows answers zeros). */
export function loadAverageNow(): number | null {
  return process.platform === 'win32' ? null : (loadavg()[0] ?? null);
}

function loadlabVersion(root: string): string {
  return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;
}

/** Null for both outside a git checkout, or without git. */
async function commitOf(root: string): Promise<{ commit: string | null; dirty: boolean | null }> {
  const git = execa({ cwd: root, reject: false, env: { GIT_OPTIONAL_LOCKS: '0' } });
  const head = await git`git rev-parse HEAD`;
  if (head.exitCode !== 0) return { commit: null, dirty: null };
  const status = await git`git status --porcelain`;
  return { commit: head.stdout.trim(), dirty: status.exitCode === 0 ? status.stdout.trim() !== '' : null };
}

/** PRETTY_NAME of /etc/os-release (freedesktop.org), else the platform's name. */
function osName(): string {
  const release = readIfThere('/etc/os-release');
  return /^PRETTY_NAME="?(.*?)"?$/m.exec(release ?? '')?.[1] ?? process.platform;
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    // Absent on other systems and cgroup versions; anything else (permissions) leaves it unknown just the same.
    if (error instanceof Error) return null;
    throw error;
  }
}
