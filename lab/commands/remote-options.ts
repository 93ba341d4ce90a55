import { type Command, InvalidArgumentError, Option } from 'commander';
import { LabError } from '../model/errors.ts';
import type { BenchOptions, RemoteOptions } from '../run.ts';
import { list } from './arguments.ts';

/** What commander makes of the options below. */
export interface RemoteArguments {
  readonly baseUrl?: readonly string[] | undefined;
  readonly databaseUrl?: string | undefined;
  readonly redisUrl?: string | undefined;
  readonly sameHost?: boolean | null | undefined;
}

const names = ['baseUrl', 'databaseUrl', 'redisUrl', 'sameHost'] as const;

/** Adds the options of `--env remote`. */
export function addRemoteOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--base-url <variant=url>', 'remote: where a variant’s API is; once for each')
        .env('LOADLAB_BASE_URLS')
        .argParser(urls),
    )
    .addOption(new Option('--database-url <url>', 'remote: the APIs’ PostgreSQL').env('LOADLAB_DATABASE_URL'))
    .addOption(new Option('--redis-url <url>', 'remote: the APIs’ Redis').env('LOADLAB_REDIS_URL'))
    .addOption(
      new Option('--same-host [yes|no]', 'remote: generator and servers share one machine')
        .env('LOADLAB_SAME_HOST')
        .preset('yes')
        .argParser(yesOrNo),
    );
}

/**
 * What was said of remote servers; undefined for another environment. There, environment variables say nothing, so that they
 * may stand in a profile: @throws LabError BAD_ARGUMENT for an option on the command line only.
 */
export function remoteOptions(
  command: Command,
  env: BenchOptions['env'],
  { baseUrl, databaseUrl, redisUrl, sameHost }: RemoteArguments,
): RemoteOptions | undefined {
  if (env === 'remote') {
    return {
      baseUrls: baseUrl ?? [],
      databaseUrl: databaseUrl === '' ? undefined : databaseUrl,
      redisUrl: redisUrl === '' ? undefined : redisUrl,
      sameHost: sameHost ?? undefined,
    };
  }
  const typed = names.find((name) => command.getOptionValueSource(name) === 'cli');
  if (typed === undefined) return undefined;
  const option = command.options.find((candidate) => candidate.attributeName() === typed)?.long ?? typed;
  throw new LabError(
    'BAD_ARGUMENT',
    `${option} is for servers that run already, and this would be --env ${env}`,
    'Add --env remote, or leave it out.',
  );
}

/** One or more `variant=url`, separated by commas; empty: none, as if it were not set. */
function urls(text: string, before: readonly string[] = []): readonly string[] {
  return text.trim() === '' ? before : [...before, ...list(text)];
}

/** null: empty, as if it were not set. */
function yesOrNo(text: string): boolean | null {
  if (['yes', '1', 'true'].includes(text)) return true;
  if (['no', '0', 'false'].includes(text)) return false;
  if (text === '') return null;
  throw new InvalidArgumentError('Say yes or no.');
}
