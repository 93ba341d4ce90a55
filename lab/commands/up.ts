import { once } from 'node:events';
import { Command, Option } from 'commander';
import { LabError } from '../model/errors.ts';
import type { OwnEnvironmentName, startByHand } from '../run.ts';
import { defaultStudy } from './arguments.ts';
import { withInterrupt } from './interrupt.ts';

const environments: readonly OwnEnvironmentName[] = ['auto', 'native', 'compose'];

/** `loadlab up`: servers for use by hand, until Ctrl-C. */
export function upCommand(): Command {
  return new Command('up')
    .description(
      'Start PostgreSQL, Redis and the APIs, and print their URLs and what to try. Processes run until Ctrl-C, containers until `docker compose down`.',
    )
    .option('--study <id>', 'whose variants are started', defaultStudy)
    .addOption(new Option('--env <name>', 'where the servers run').choices(environments).default('auto'))
    .action(({ study, env }: { study: string; env: OwnEnvironmentName }) =>
      withInterrupt((signal) => up(study, env, signal)),
    );
}

async function up(study: string, env: OwnEnvironmentName, signal: AbortSignal): Promise<void> {
  const run = await import('../run.ts');
  const site = await run.chooseOwnEnvironment(env);
  if (site.name === 'compose') {
    if (study !== defaultStudy) {
      const hint = 'Take --env native, or start what docker-compose.yml has: docker compose up --wait';
      throw new LabError('BAD_ARGUMENT', `--study ${study} is for processes, and this would be compose`, hint);
    }
    await run.upInContainers(signal);
    return;
  }
  const started = await run.startByHand(study, site, (line) => process.stderr.write(`  ${line}\n`), signal);
  const { environment } = started;
  try {
    process.stdout.write(describe(started));
    const ended = AbortSignal.any([signal, environment.failed]);
    if (!ended.aborted) await once(ended, 'abort');
    // Ctrl-C is how this command is meant to end; a server that died is an error.
    if (environment.failed.aborted && environment.failed.reason instanceof LabError) throw environment.failed.reason;
  } finally {
    await started.stop();
  }
}

function describe({ environment, variants, endpoints, cacheKeys }: Awaited<ReturnType<typeof startByHand>>): string {
  const urls = variants.map((variant) => `  ${variant.padEnd(12)} ${environment.baseUrl(variant)}\n`);
  const first = environment.baseUrl(variants[0] ?? '');
  const path = endpoints.at(-1)?.path ?? '/hello';
  const redisPort = new URL(environment.redisUrl).port;
  return [
    '\nReady:\n',
    ...urls,
    `  ${'PostgreSQL'.padEnd(12)} ${environment.databaseUrl}\n`,
    `  ${'Redis'.padEnd(12)} ${environment.redisUrl}\n`,
    '\nTry:\n',
    `  curl -i ${first}${path}\n`,
    `  curl -s ${first}/health\n`,
    `  k6 run -e BASE_URL=${first} -e STACK=${variants[0] ?? ''} -e VUS=100 k6/scenarios/products.ts\n`,
    ...cacheKeys.map((key) => `  redis-cli -p ${redisPort} del ${key}\n`),
    '\nCtrl-C stops everything.\n',
  ].join('');
}
