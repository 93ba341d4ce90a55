import { LabError, messageOf } from '../../model/errors.ts';
import type { Engine } from './engine.ts';
import { within } from './within.ts';

/** As docker-compose.yml has it, where K6_IMAGE is not set. */
const byDefault = 'grafana/k6:2.2.0';
const inspectLimitMs = 10_000;
const pullLimitMs = 5 * 60_000;

/**
 * Finds k6's image on this machine, else fetches it. The version is its tag. Throws a LabError TOOL_MISSING when it cannot be had.
 */
export async function findK6Image({ docker, streams }: Engine): Promise<{ readonly version: string }> {
  const name = process.env.K6_IMAGE ?? byDefault;
  const version = /:([^:/]+)$/.exec(name)?.[1] ?? 'latest';
  try {
    await within(inspectLimitMs, docker.getImage(name).inspect());
    return { version };
  } catch {
    // Not here; or the engine does not answer, which the next question shows.
  }
  try {
    const abortSignal = AbortSignal.timeout(pullLimitMs);
    const stream = await streams.pull(name, { abortSignal });
    await new Promise<void>((resolve, reject) => {
      streams.modem.followProgress(stream, (error: Error | null) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
    return { version };
  } catch (error) {
    throw new LabError(
      'TOOL_MISSING',
      `the image ${name} is not on this machine and cannot be fetched: ${messageOf(error)}`,
      `docker pull ${name}, set K6_IMAGE, or take --generator builtin.`,
    );
  }
}
