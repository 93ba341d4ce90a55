import { join } from 'node:path';
import type { EnvironmentRequest } from '../../model/environment.ts';
import { messageOf } from '../../model/errors.ts';
import type { Cleanup } from '../cleanup.ts';
import { compose, environmentFor, type ComposeContext } from './compose-command.ts';
import type { Containers } from './containers.ts';
import type { Engine } from './engine.ts';
import { startGuard } from './guard.ts';
import { generatorService, projectImages, type ProjectFacts } from './project-file.ts';
import { within } from './within.ts';

const downLimitMs = 60_000;
const removeLimitMs = 10_000;
const pingLimitMs = 5_000;

/** All that is made for one environment in the engine and on this machine. */
export interface Project {
  readonly engine: Engine;
  readonly containers: Containers;
  readonly facts: ProjectFacts;
  readonly context: ComposeContext;
  readonly request: EnvironmentRequest;
  /** Absolute path of its own folder on this machine. */
  readonly folder: string;
}

/** From here on whatever the project makes is removed, by the lab or, should it be killed, by the guard. */
export async function holdProject(project: Project, cleanup: Cleanup): Promise<void> {
  const { engine, containers, facts, context, request, folder } = project;
  const images = projectImages(facts);
  if (request.keep === true) {
    cleanup.add('the generator’s container', () => leave(containers, facts, request.report));
    return;
  }
  const guard = await startGuard(facts.project, folder, images, environmentFor(process.env));
  cleanup.add(`project ${facts.project}`, async () => {
    // A silent engine would take every question's whole limit.
    await within(pingLimitMs, engine.docker.ping()).catch(async () => {
      await guard.dismiss();
      throw new Error(
        `the Docker engine does not answer, so its containers stay; later: docker compose --project-name ${facts.project} down --volumes`,
      );
    });
    await saveLogs(containers, request.logDir).catch((error: unknown) => {
      request.report(`the containers’ logs are not saved: ${messageOf(error)}`);
    });
    await compose(context, ['--profile', '*', 'down', '--volumes', '--remove-orphans', '--timeout', '2'], {
      limitMs: downLimitMs,
      code: 'ENVIRONMENT_FAILED',
      failure: `its containers could not be removed; later: docker compose --project-name ${facts.project} down --volumes`,
      hint: 'The whole output is in compose.log of this set.',
    });
    for (const name of images) {
      // One that was never built is not there to be removed.
      await within(removeLimitMs, engine.docker.getImage(name).remove({ force: true })).catch(ignoreMissing);
    }
    // Until here: what could not be removed is the guard's, once the lab has ended.
    await guard.dismiss();
  });
}

async function saveLogs(containers: Containers, logDir: string): Promise<void> {
  await containers.refresh();
  for (const service of containers.services) {
    await containers.saveLog(service, join(logDir, `${service}.log`));
  }
}

/** Says where the servers are that stay. */
async function leave(containers: Containers, facts: ProjectFacts, report: (line: string) => void): Promise<void> {
  await containers.refresh();
  if (containers.services.includes(generatorService)) await containers.remove(generatorService);
  for (const service of containers.services) {
    const port = await containers.anyPublishedPort(service);
    if (port !== null) report(`kept: ${service} at 127.0.0.1:${port}`);
  }
  report(`kept: remove it with docker compose --project-name ${facts.project} down --volumes`);
  report(`kept: and its images with docker image rm ${projectImages(facts).join(' ')}`);
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'statusCode' in error && error.statusCode === 404)) throw error;
}
