import { repositoryRoot } from '../../lab/contract/root.ts';
import type { Contract } from '../../lab/model/contract.ts';
import type { EnvironmentRequest } from '../../lab/model/environment.ts';
import { LabError } from '../../lab/model/errors.ts';
import type { Stack } from '../../lab/model/stack.ts';

type ServerVariant = EnvironmentRequest['variants'][number];

/** An API and the twin that it is measured against, as servers that an environment can start. */
export interface Pair {
  readonly title: string;
  readonly api: ServerVariant;
  readonly twin: ServerVariant;
}

interface Twin {
  readonly id: string;
  readonly title: string;
  /** null: the API's own folder. */
  readonly folder: string | null;
  readonly build: readonly string[];
  readonly start: readonly string[];
}

/** By the id of the stack. A twin is a stack without a folder of its own: no study shall find it. */
const twins: Readonly<Record<string, Twin>> = {
  'go-api': {
    id: 'minimal-net-http',
    title: 'minimal net/http',
    folder: null, // the module has the driver
    build: ['go', 'build', '-trimpath', '-o', 'dist/minimal-twin', './cmd/minimal-twin'],
    start: ['dist/minimal-twin'],
  },
  'node-api': {
    id: 'minimal-express',
    title: 'minimal Express',
    folder: repositoryRoot,
    // Compiled with the scripts: this only says whether it is there.
    build: ['node', '--check', 'dist/scripts/bench-apis/twins/minimal-express.js'],
    start: ['node', 'dist/scripts/bench-apis/twins/minimal-express.js'],
  },
};

/** Every stack that has a twin, with it. Both are told the same pool sizes and keep-alive time. */
export function pairsOf(stacks: readonly Stack[], { pools, limits }: Contract): Pair[] {
  const environment = {
    DB_POOL_SIZE: String(pools.database),
    REDIS_POOL_SIZE: String(pools.redis),
    POOL_TIMEOUT_MS: String(limits.poolTimeoutMs),
    KEEP_ALIVE_TIMEOUT_MS: String(limits.keepAliveTimeoutMs),
  };
  const variantOf = (stack: Stack): ServerVariant => {
    const { id, title } = stack.manifest;
    return { variant: { id, title, stack: id, environment }, stack };
  };
  const pairs = stacks.flatMap((stack): Pair[] => {
    const twin = twins[stack.manifest.id];
    if (twin === undefined) return [];
    return [{ title: stack.manifest.id, api: variantOf(stack), twin: variantOf(twinStack(stack, twin)) }];
  });
  if (pairs.length > 0) return pairs;
  throw new LabError('BAD_STACK', 'no stack has a twin', 'Name one in scripts/bench-apis/pairs.ts.');
}

/** What an environment has to start. */
export function variantsOf(pairs: readonly Pair[]): ServerVariant[] {
  return pairs.flatMap(({ api, twin }) => [api, twin]);
}

function twinStack({ manifest, folder }: Stack, twin: Twin): Stack {
  return {
    folder: twin.folder ?? folder,
    manifest: {
      ...manifest,
      id: twin.id,
      title: twin.title,
      build: { ...manifest.build, command: [...twin.build] },
      start: { ...manifest.start, command: [...twin.start] },
    },
  };
}
