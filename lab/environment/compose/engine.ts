import { Agent } from 'node:http';
import Docker from 'dockerode';
import { execa } from 'execa';
import { LabError, messageOf } from '../../model/errors.ts';
import type { EngineFingerprint } from '../../model/result.ts';
import { within } from './within.ts';

/** A Docker engine of this machine that answers, with `docker compose` v2. */
export interface Engine {
  /** For questions: its connections close by themselves when no answer comes. */
  readonly docker: Docker;
  /** For answers that go on and on. */
  readonly streams: Docker;
  readonly fingerprint: EngineFingerprint;
  /** Cuts all connections: one on which a silent engine is still awaited would keep the lab alive. */
  readonly close: () => void;
  /** CPUs that the engine sees; containers cannot use more. */
  readonly cores: number;
}

const answerLimitMs = 10_000;
/** Longer than any question may take: see within(). */
const connectionLimitMs = 60_000;
const hint = 'Start Docker (or install it: https://docs.docker.com/engine/install/), or take --env native.';

/**
 * Finds the engine that the `docker` command talks to, context and DOCKER_HOST considered.
 * Throws a LabError TOOL_MISSING or TOOL_TOO_OLD that says what lacks.
 */
export async function findEngine(): Promise<Engine> {
  const host = await docker(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']);
  const socketPath = socketOf(host);
  const agent = new Agent();
  const connection = { socketPath, agent };
  const questions = { ...connection, timeout: connectionLimitMs };
  const client = new Docker(questions);
  const [info, version] = await Promise.all([
    ask('the Docker engine', () => client.info() as Promise<Info>),
    ask('the Docker engine', () => client.version()),
  ]).catch((error: unknown) => {
    // A connection that still waits would keep the lab alive.
    agent.destroy();
    throw error;
  });
  const composeVersion = (await docker(['compose', 'version', '--short'])).replace(/^v/, '');
  if (Number(composeVersion.split('.')[0]) < 2) {
    throw new LabError('TOOL_TOO_OLD', `docker compose ${composeVersion} is too old: 2 or newer is needed`, hint);
  }
  const { CgroupVersion, Driver, NCPU } = info;
  return {
    docker: client,
    streams: new Docker(connection),
    close: () => {
      agent.destroy();
    },
    cores: NCPU,
    fingerprint: {
      name: 'Docker',
      version: version.Version,
      composeVersion,
      cgroupVersion: CgroupVersion ?? 'unknown',
      storageDriver: Driver,
    },
  };
}

/** The part of GET /info that is used. */
interface Info {
  readonly CgroupVersion?: string;
  readonly Driver: string;
  readonly NCPU: number;
}

/** Folders of this machine are mounted, so the engine must be on it. */
function socketOf(host: string): string {
  const path = /^(?:unix|npipe):\/\/(.+)$/.exec(host)?.[1];
  if (path !== undefined) return path;
  throw new LabError(
    'TOOL_MISSING',
    `the Docker engine is not on this machine: ${host}`,
    'Choose a local one with `docker context use`, or take --env native.',
  );
}

async function docker(args: readonly string[]): Promise<string> {
  const { stdout, stderr, exitCode, timedOut, code } = await execa('docker', args, {
    reject: false,
    stdin: 'ignore',
    timeout: answerLimitMs,
  });
  if (exitCode === 0) return stdout.trim();
  const why =
    code === 'ENOENT' ? 'docker is not there' : timedOut ? 'docker does not answer' : (stderr.split('\n')[0] ?? '');
  throw new LabError('TOOL_MISSING', `docker ${args.slice(0, 2).join(' ')} failed: ${why}`, hint);
}

/** A question to the engine, which may be there and silent: bounded. Throws a LabError TOOL_MISSING. */
async function ask<T>(what: string, question: () => Promise<T>): Promise<T> {
  try {
    return await within(answerLimitMs, question());
  } catch (error) {
    throw new LabError('TOOL_MISSING', `${what} does not answer: ${messageOf(error)}`, hint, { cause: error });
  }
}
