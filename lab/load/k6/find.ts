import { execa, ExecaError } from 'execa';
import type { GeneratorPlace } from '../../model/environment.ts';
import { LabError } from '../../model/errors.ts';

/** k6 as found. */
export interface K6Binary {
  readonly path: string;
  /** e.g. `2.2.0`. */
  readonly version: string;
  /** Whether `k6 run` knows `--new-machine-readable-summary`: where it does, it is turned off by name. */
  readonly knowsMachineReadableSummary: boolean;
}

/** Scenarios are TypeScript, which k6 runs by itself from this version on. */
const minimum = { major: 0, minor: 57 };

const install = 'install k6 from https://grafana.com/docs/k6/latest/set-up/install-k6/, or take --generator builtin';

/** The version in the output of `k6 version`; null where there is none. */
export function parseVersion(output: string): { version: string; major: number; minor: number } | null {
  const found = /^k6(?:\.exe)? v((\d+)\.(\d+)\.\d+(?:[-+][\w.+-]*)?)/m.exec(output);
  const [, version, major, minor] = found ?? [];
  return version === undefined ? null : { version, major: Number(major), minor: Number(minor) };
}

async function outputOf(binary: string, args: string[], place: GeneratorPlace | null): Promise<string> {
  try {
    const [program, ...rest] = place === null ? [binary, ...args] : place.commandLine([binary, ...args], {});
    const { stdout } = await execa(program, rest, { timeout: 20_000 });
    return stdout;
  } catch (error) {
    if (error instanceof ExecaError && error.code === 'ENOENT') {
      throw new LabError('TOOL_MISSING', `k6 was not found (${binary})`, install, { cause: error });
    }
    throw new LabError('TOOL_MISSING', `${binary} ${args.join(' ')} failed`, install, { cause: error });
  }
}

/**
 * Finds k6 and its version, here or where `place` is. Throws LabError TOOL_MISSING when it is not there or does not answer as k6 does,
 * TOOL_TOO_OLD below version 0.57.
 */
export async function findK6(binary = 'k6', place: GeneratorPlace | null = null): Promise<K6Binary> {
  const output = await outputOf(binary, ['version'], place);
  const parsed = parseVersion(output);
  if (parsed === null) {
    const seen = JSON.stringify(output.slice(0, 60));
    throw new LabError('TOOL_MISSING', `${binary} does not say k6's version, but ${seen}`, install);
  }
  const { version, major, minor } = parsed;
  if (major < minimum.major || (major === minimum.major && minor < minimum.minor)) {
    const needed = `${minimum.major}.${minimum.minor}`;
    throw new LabError('TOOL_TOO_OLD', `k6 ${version} is too old: ${needed} or newer is needed`, install);
  }
  const help = await outputOf(binary, ['run', '--help'], place);
  return { path: binary, version, knowsMachineReadableSummary: help.includes('--new-machine-readable-summary') };
}
