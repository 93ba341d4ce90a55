import { cp, mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { repositoryRoot } from '../../contract/root.ts';
import type { K6Binary } from './find.ts';
import {
  answer,
  k6OrReason,
  needK6,
  patientContract,
  productsBody,
  startServer,
  type TestServer,
} from './test-fixture.ts';

/** The scenarios as people run them: no lab, k6 from the clone's folder, everything by -e. */
let k6: K6Binary | string;
let hits: TestServer;
let misses: TestServer;
let folder: string;
let CONTRACT_DIR: string;

beforeAll(async () => {
  k6 = await k6OrReason();
  CONTRACT_DIR = await patientContract();
  hits = await startServer((request, response) => {
    if (request.url === '/hello') answer(response, '{"message":"Hello!"}');
    else answer(response, productsBody, request.url === '/products-with-cache' ? { xCache: 'HIT' } : {});
  });
  misses = await startServer((_, response) => {
    answer(response, productsBody, { xCache: 'MISS' });
  });
});

afterAll(async () => {
  await hits.close();
  await misses.close();
});

beforeEach(async (context) => {
  needK6(context, k6);
  folder = await mkdtemp(join(tmpdir(), 'loadlab-by-hand-'));
});

interface ByHand {
  readonly exitCode: number | undefined;
  readonly stdout: string;
  /** Messages of k6's log. */
  readonly log: string[];
}

async function k6Run(script: string, variables: Record<string, string>, flags: string[] = []): Promise<ByHand> {
  const { exitCode, stdout, stderr } = await execa(
    'k6',
    [
      'run',
      '--quiet',
      '--no-usage-report',
      '--log-format=json',
      ...flags,
      ...Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
      script,
    ],
    { cwd: repositoryRoot, reject: false },
  );
  const log = stderr
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  return { exitCode, stdout, log };
}

describe('k6 run by hand', () => {
  it('makes a run, prints its figures, and writes the summary', async () => {
    const SUMMARY = join(folder, 'summary.json');
    const { exitCode, stdout } = await k6Run('k6/scenarios/products.ts', {
      BASE_URL: hits.url,
      STACK: 'go',
      VUS: '3',
      DURATION: '1s',
      SUMMARY,
    });
    // Whether p95 keeps the contract's limit is for the machine to say.
    expect(exitCode === 0 || exitCode === 99).toBe(true);
    expect(stdout).toContain('go /products, 3 VUs, 1 s, CHECK=bytes');
    expect(stdout).toContain('passed  body is the reference body');
    expect(stdout).toMatch(/(kept {3}|CROSSED) http_req_duration p\(95\)<500/);
    expect(stdout).toContain(SUMMARY);
    const summary = JSON.parse(await readFile(SUMMARY, 'utf8')) as {
      metrics: Record<string, { values: { count: number } } | undefined>;
    };
    // setup() made one request, which is in the whole and not in the window.
    const count = (metric: string): number => summary.metrics[metric]?.values.count ?? Number.NaN;
    expect(count('http_reqs')).toBe(count('http_reqs{scenario:load}') + 1);
  });

  it.each(['hello', 'products-where-like', 'products-with-cache'])(
    '%s has a scenario that passes',
    async (endpoint) => {
      const { exitCode, stdout } = await k6Run(`k6/scenarios/${endpoint}.ts`, {
        BASE_URL: hits.url,
        STACK: 'go',
        VUS: '2',
        DURATION: '1s',
        CONTRACT_DIR,
        SUMMARY: join(folder, 'summary.json'),
      });
      expect(stdout).toContain(`go /${endpoint}, 2 VUs`);
      expect(stdout).not.toContain('FAILED');
      expect(exitCode).toBe(0);
    },
  );

  it('crosses its threshold against an API that never hits', async () => {
    const { exitCode, stdout } = await k6Run('k6/scenarios/products-with-cache.ts', {
      BASE_URL: misses.url,
      STACK: 'go',
      VUS: '2',
      DURATION: '1s',
      SUMMARY: join(folder, 'summary.json'),
    });
    expect(exitCode).toBe(99);
    expect(stdout).toMatch(/FAILED {2}X-Cache is HIT: 0 of \d+/);
    expect(stdout).toContain('CROSSED checks rate>0.99');
  });

  it('never overwrites the summary of another run, also in the same second', async () => {
    const variables = { BASE_URL: hits.url, STACK: 'go', VUS: '1', DURATION: '1s', RESULTS_DIR: folder };
    await Promise.all([
      k6Run('k6/scenarios/hello.ts', variables),
      k6Run('k6/scenarios/hello.ts', variables),
      k6Run('k6/scenarios/hello.ts', variables),
    ]);
    const names = await readdir(folder);
    expect(names).toHaveLength(3);
    for (const name of names)
      expect(name).toMatch(/^k6-go-hello-1vus-\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z-[0-9a-f]{4}\.json$/);
  });

  it('works where k6/ is /scripts and contract/ and results/ are mounted beside it', async () => {
    await cp(join(repositoryRoot, 'k6'), join(folder, 'scripts'), { recursive: true });
    await cp(CONTRACT_DIR, join(folder, 'contract'), { recursive: true });
    await mkdir(join(folder, 'results'));
    const { exitCode } = await k6Run(join(folder, 'scripts/scenarios/hello.ts'), {
      BASE_URL: hits.url,
      STACK: 'go',
      VUS: '1',
      DURATION: '1s',
    });
    expect(exitCode).toBe(0);
    expect(await readdir(join(folder, 'results'))).toHaveLength(1);
  });

  it('writes the newer summary shape as it is when asked for it', async () => {
    const SUMMARY = join(folder, 'summary.json');
    const { exitCode, stdout } = await k6Run(
      'k6/scenarios/hello.ts',
      { BASE_URL: hits.url, STACK: 'go', VUS: '1', DURATION: '1s', CONTRACT_DIR, SUMMARY },
      ['--new-machine-readable-summary'],
    );
    expect(exitCode).toBe(0);
    expect(stdout).toContain(SUMMARY);
    expect(JSON.parse(await readFile(SUMMARY, 'utf8'))).toHaveProperty('results.metrics');
  });
});

describe('what setup() refuses, in one line and before any load', () => {
  const refused = async (
    variables: Record<string, string>,
    flags: string[] = [],
    endpoint = 'products',
  ): Promise<string> => {
    const SUMMARY = join(folder, 'summary.json');
    const { exitCode, stdout, log } = await k6Run(`k6/scenarios/${endpoint}.ts`, { SUMMARY, ...variables }, flags);
    expect(exitCode).toBe(108);
    expect(stdout).toBe('');
    expect(await readdir(folder)).toEqual([]);
    return log.at(-1) ?? '';
  };

  it('bad input', async () => {
    expect(await refused({ BASE_URL: hits.url, STACK: 'go', VUS: 'abc', CHECK: 'foo' })).toBe(
      'test aborted: VUS: "abc" is not a whole number from 1 to 10000; CHECK: "foo" is not one of json, bytes, none',
    );
  });

  it('a folder that is not there', async () => {
    expect(await refused({ BASE_URL: hits.url, STACK: 'go', RESULTS_DIR: '/nowhere' })).toBe(
      'test aborted: RESULTS_DIR: /nowhere does not exist',
    );
    expect(await refused({ BASE_URL: hits.url, STACK: 'go', CONTRACT_DIR: '/nowhere' })).toContain(
      'cannot read the contract: file:///nowhere/contract.json',
    );
  });

  it('an endpoint that cannot be reached', async () => {
    expect(await refused({ BASE_URL: 'http://127.0.0.1:1', STACK: 'go' })).toBe(
      'test aborted: http://127.0.0.1:1/products cannot be reached: dial: connection refused',
    );
  });

  it.each([
    ['a wrong status', '{"error":"database busy"}', 503, 'answered status 503, not 200'],
    ['no JSON', '<html>', 200, 'answered no JSON: "<html>"'],
    ['another count', '{"count":99,"products":[]}', 200, 'count is 99, the contract says 100'],
    ['no count', '{"products":[]}', 200, 'count is undefined, the contract says 100'],
  ])('%s', async (_, body, status, message) => {
    const wrong = await startServer((_request, response) => {
      answer(response, body, { status });
    });
    expect(await refused({ BASE_URL: wrong.url, STACK: 'go' })).toContain(message);
    expect(wrong.requests()).toBe(1);
    await wrong.close();
  });

  it("a load by k6's own flags, which would replace the scenario", async () => {
    expect(await refused({ BASE_URL: hits.url, STACK: 'go' }, ['--vus=3', '--duration=1s'])).toContain(
      'use -e VUS=… -e DURATION=… instead',
    );
  });
});
