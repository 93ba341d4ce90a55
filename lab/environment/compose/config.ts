import { z } from 'zod';
import { compose, type ComposeContext } from './compose-command.ts';

const limitMs = 30_000;

/** What the lab needs of `docker compose config`: which services there are, what they are made from, and what they wait for. */
const Config = z.object({
  services: z.record(
    z.string(),
    z.object({
      image: z.string().optional(),
      cpus: z.number().optional(),
      depends_on: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
});

/** The services of docker-compose.yml, of every profile, with all variables put in. */
export type Services = z.infer<typeof Config>['services'];

/** Throws a LabError BAD_ARGUMENT with what Compose says of the file and its variables, or the signal's reason. */
export async function readServices(context: ComposeContext, signal?: AbortSignal): Promise<Services> {
  const text = await compose(context, ['--profile', '*', 'config', '--format', 'json'], {
    limitMs,
    ...(signal === undefined ? {} : { signal }),
    code: 'BAD_ARGUMENT',
    failure: 'docker-compose.yml cannot be used with these variables',
    hint: 'Look at .env and at the variables that you have set; .env.example lists them.',
  });
  return Config.parse(JSON.parse(text)).services;
}
