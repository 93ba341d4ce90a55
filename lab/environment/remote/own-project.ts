import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import Docker from 'dockerode';
import { messageOf } from '../../model/errors.ts';
import type { EngineFingerprint } from '../../model/result.ts';
import { Containers } from '../compose/containers.ts';
import { within } from '../compose/within.ts';

const answerLimitMs = 5_000;
const projectLabel = 'com.docker.compose.project';
const versionLabel = 'com.docker.compose.version';

/** The Compose project of which the lab's own container is one. */
export interface OwnProject {
  readonly containers: Containers;
  readonly engine: EngineFingerprint;
}

/**
 * Asks the Docker engine behind its socket, which the user may have mounted, for the lab's own project. Never rejects: without one
 * it says why.
 */
export async function findOwnProject(
  socketPath = '/var/run/docker.sock',
): Promise<OwnProject | { readonly why: string }> {
  if (!existsSync(socketPath)) return { why: 'the Docker socket is not mounted' };
  try {
    return await within(answerLimitMs, askEngine(socketPath));
  } catch (error) {
    return { why: `the Docker engine does not say: ${messageOf(error)}` };
  }
}

async function askEngine(socketPath: string): Promise<OwnProject | { readonly why: string }> {
  const docker = new Docker({ socketPath, timeout: answerLimitMs });
  // A container's host name is the start of its id, unless somebody has given it another one.
  const own = await docker.getContainer(hostname()).inspect().catch(ignoreMissing);
  const project = own?.Config.Labels[projectLabel];
  if (own === null || project === undefined) return { why: 'the lab runs in no container of a Compose project' };
  const [info, version] = await Promise.all([
    docker.info() as Promise<{ CgroupVersion?: string; Driver: string; NCPU: number }>,
    docker.version(),
  ]);
  const fingerprint: EngineFingerprint = {
    name: 'Docker',
    version: version.Version,
    composeVersion: own.Config.Labels[versionLabel] ?? 'unknown',
    cgroupVersion: info.CgroupVersion ?? 'unknown',
    storageDriver: info.Driver,
  };
  const containers = new Containers({ docker, cores: info.NCPU }, project);
  await containers.refresh();
  return { containers, engine: fingerprint };
}

function ignoreMissing(error: unknown): null {
  if (error instanceof Error && 'statusCode' in error && error.statusCode === 404) return null;
  throw error;
}
