import type { GeneratorName } from '../../model/plan.ts';
import type { Stack } from '../../model/stack.ts';
import type { Variant } from '../../model/study.ts';

/** Where the clone's files are in the generator's container. */
export const generatorRoot = '/loadlab';
/** The folder that the generator's container shares with this machine. */
export const exchangeFolder = '/exchange';
export const generatorService = 'generator';

/** What the file is made from. */
export interface ProjectFacts {
  readonly project: string;
  /** Absolute path of docker-compose.yml. */
  readonly composeFile: string;
  /** Services of docker-compose.yml, each with the services that it depends on. */
  readonly dependencies: Readonly<Record<string, readonly string[]>>;
  /** Services that may have more CPUs than the engine has, which it would refuse. */
  readonly tooManyCpus: readonly string[];
  readonly cores: number;
  readonly variants: readonly { readonly variant: Variant; readonly stack: Stack }[];
  readonly generator: GeneratorName | null;
  /** Absolute path of the clone, and of the folder to share, on this machine. */
  readonly root: string;
  readonly exchange: string;
  /** `uid:gid` of the lab, whose files the generator writes; null where the system has none. */
  readonly user: string | null;
}

/** The service that runs a variant. */
export function serviceOf(variant: string): string {
  return `api-${variant}`;
}

/** An image of the project's own, so that another clone's build does not take its place meanwhile. */
export function imageOf(name: string, project: string): string {
  return `${name}:${project}`;
}

/** The image of the built-in generator, as docker-compose.yml calls it. */
const labImage = 'loadlab/loadlab';

/** Images that are made for the project, and go with it. */
export function projectImages({ project, variants, generator }: ProjectFacts): string[] {
  const names = new Set(variants.map(({ stack }) => stack.manifest.image));
  if (generator === 'builtin') names.add(labImage);
  return [...names].map((name) => imageOf(name, project));
}

/**
 * What the lab lays over docker-compose.yml, as the JSON that Compose takes for YAML: a service for each variant, made from its
 * stack's; the generator's; no restarts that would hide a death; and no health checks, whose processes would run beside the
 * load: the lab itself asks every server, and more strictly.
 */
export function projectFile(facts: ProjectFacts): Record<string, unknown> {
  const quiet = { restart: 'no', healthcheck: { disable: true } };
  const apis = facts.variants.map(({ variant, stack }) => [
    serviceOf(variant.id),
    {
      ...quiet,
      ...cpusOf(stack.manifest.id, facts),
      extends: { file: facts.composeFile, service: stack.manifest.id },
      image: imageOf(stack.manifest.image, facts.project),
      environment: variant.environment,
      // Compose would wait for health checks that there are not.
      depends_on: startedOnly(facts.dependencies[stack.manifest.id] ?? []),
    },
  ]);
  return {
    services: {
      postgres: { ...quiet, ...cpusOf('postgres', facts) },
      redis: { ...quiet, ...cpusOf('redis', facts) },
      ...(Object.fromEntries(apis) as Record<string, unknown>),
      ...(facts.generator === null ? {} : { [generatorService]: generatorOf(facts, facts.generator, quiet) }),
    },
  };
}

function cpusOf(service: string, { tooManyCpus, cores }: ProjectFacts): Record<string, unknown> {
  return tooManyCpus.includes(service) ? { cpus: cores } : {};
}

/** A container that waits: programs are started in it, run by run. */
function generatorOf(facts: ProjectFacts, generator: GeneratorName, quiet: object): Record<string, unknown> {
  const service = generator === 'k6' ? 'k6' : 'loadlab';
  return {
    ...quiet,
    extends: { file: facts.composeFile, service },
    ...(generator === 'builtin' ? { image: imageOf(labImage, facts.project) } : {}),
    ...(facts.user === null ? {} : { user: facts.user }),
    entrypoint: ['sleep'],
    command: ['infinity'],
    depends_on: startedOnly(facts.dependencies[service] ?? []),
    volumes:
      generator === 'k6'
        ? [
            `${facts.root}/k6:${generatorRoot}/k6:ro`,
            `${facts.root}/contract:${generatorRoot}/contract:ro`,
            `${facts.exchange}:${exchangeFolder}`,
          ]
        : [],
  };
}

function startedOnly(services: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(services.map((service) => [service, { condition: 'service_started' }]));
}

/** A project's name: private, and a valid one for networks, volumes and host names. */
export function projectName(random: string): string {
  return `loadlab-${random}`;
}
