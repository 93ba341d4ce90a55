import { join } from 'node:path';
import { repositoryRoot } from '../../contract/root.ts';
import { LabError, messageOf } from '../../model/errors.ts';
import { readServices } from './config.ts';
import { limitTo } from '../limit.ts';
import type { Engine } from './engine.ts';
import { within } from './within.ts';

const inspectLimitMs = 10_000;
const pullLimitMs = 5 * 60_000;

/**
 * Finds the image that docker-compose.yml names for k6 on this machine, else fetches it. The version is its tag. Throws a LabError
 * TOOL_MISSING when it cannot be had, BAD_ARGUMENT as readServices does.
 */
export async function findK6Image(
  { docker, streams }: Engine,
  report: (line: string) => void,
  signal: AbortSignal,
): Promise<{ readonly version: string }> {
  const composeFile = join(repositoryRoot, 'docker-compose.yml');
  const context = { project: 'loadlab', files: [composeFile], directory: repositoryRoot, variables: {}, logFile: null };
  const { k6 } = await readServices(context, signal);
  const name = k6?.image;
  if (name === undefined) throw new LabError('BAD_ARGUMENT', 'docker-compose.yml has no service k6', 'Restore it.');
  const version = /:([^:/]+)$/.exec(name)?.[1] ?? 'latest';
  try {
    await within(inspectLimitMs, docker.getImage(name).inspect());
    return { version };
  } catch {
    // Not here; or the engine does not answer, which the next question shows.
  }
  try {
    report(`fetching the image ${name}`);
    const abortSignal = limitTo(pullLimitMs, signal);
    const stream = await streams.pull(name, { abortSignal });
    await new Promise<void>((resolve, reject) => {
      streams.modem.followProgress(stream, (error: Error | null) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
    return { version };
  } catch (error) {
    signal.throwIfAborted();
    throw new LabError(
      'TOOL_MISSING',
      `the image ${name} is not on this machine and cannot be fetched: ${messageOf(error)}`,
      `docker pull ${name}, set K6_IMAGE, or take --generator builtin.`,
    );
  }
}
