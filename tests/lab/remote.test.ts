import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ResultSet } from '../../lab/model/result.ts';
import { dataFolder, loadlab, onlySet, printed, resultsFolder, type LoadlabRun } from './loadlab.ts';

const dataDir = dataFolder();
let up: LoadlabRun;
/** What `loadlab up` printed: where its servers are. */
let known: Readonly<Record<'go' | 'node' | 'PostgreSQL' | 'Redis', string>>;
const small = '--vus 5 --duration 1200ms --rounds 6 --generator builtin --seed 1'.split(' ');

beforeAll(async () => {
  let text = '';
  up = loadlab(['up', '--env', 'native'], { dataDir });
  up.all.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await printed(up, 'Ctrl-C stops everything');
  const after = (name: string): string => new RegExp(`^ +${name} +(\\S+)$`, 'm').exec(text)![1]!;
  known = { go: after('go'), node: after('node'), PostgreSQL: after('PostgreSQL'), Redis: after('Redis') };
});
afterAll(async () => {
  up.kill('SIGINT');
  await up;
});

/** The variables of the environment, as docker-compose.yml sets them. */
function variables(): Record<string, string> {
  return {
    LOADLAB_ENV: 'remote',
    LOADLAB_BASE_URLS: `go=${known.go},node=${known.node}`,
    LOADLAB_DATABASE_URL: known.PostgreSQL,
    LOADLAB_REDIS_URL: known.Redis,
  };
}

const setIn = (out: string): ResultSet =>
  JSON.parse(readFileSync(join(onlySet(out), 'result.json'), 'utf8')) as ResultSet;

describe('a study of servers that run already', () => {
  test('by variables: one generation, suspect without s, the work checked, no password anywhere', async () => {
    const out = resultsFolder();
    const endpoints = ['--endpoints', 'hello,products-with-cache'];
    const run = await loadlab(['bench', ...endpoints, ...small, '--out', out], { environment: variables() });
    expect(run.exitCode, run.all).toBe(0);
    const set = setIn(out);
    expect(set.plan.generations).toHaveLength(1);
    expect(set.provenance.environment).toMatchObject({ name: 'remote', sameHost: true });
    for (const { verdicts } of set.summaries) {
      expect(verdicts.throughput).toMatchObject({ state: 'suspect', reasons: [{ rule: 'share-unknown' }] });
      expect(verdicts.throughput.notes.map(({ rule }) => rule)).toContain('one-generation');
    }
    expect(set.slices.every(({ work }) => work?.keyspaceHits !== null)).toBe(true);
    expect(set.summaries.every(({ cpuMsPerRequest }) => (cpuMsPerRequest.api ?? 0) > 0)).toBe(true);
    expect(run.stdout).toContain('All rounds are of one life of each API');
    const secret = new URL(known.PostgreSQL).password;
    for (const file of readdirSync(out, { recursive: true, withFileTypes: true })) {
      if (file.isFile()) expect(readFileSync(join(file.parentPath, file.name), 'utf8')).not.toContain(secret);
    }
    expect(run.all).not.toContain(secret);
    expect((await fetch(`${known.go}/health?ready=1`)).status).toBe(200);
  });

  test('by options, as if from another machine: no share, and no doubt for it; the password is not kept', async () => {
    const out = resultsFolder();
    const urls = ['--base-url', `go=${known.go}`, '--base-url', `node=${known.node}`];
    const options = ['--env', 'remote', ...urls, '--same-host', 'no', '--database-url', known.PostgreSQL];
    const run = await loadlab(['bench', ...options, '--endpoints', 'hello', ...small, '--out', out]);
    expect(run.exitCode, run.all).toBe(0);
    const { provenance, summaries } = setIn(out);
    expect(provenance.environment.sameHost).toBe(false);
    expect(provenance.commandLine.join(' ')).toMatch(/--database-url postgres:\/\/loadlab:\*\*\*@/);
    expect(summaries.map(({ verdicts }) => verdicts.throughput.state)).toEqual(['valid', 'valid']);
    expect(run.stdout).not.toMatch(/ s( |$)/m);
    expect(run.stdout).toContain('remote, servers elsewhere');
  });

  test('Ctrl-C: exit code 130, a partial set, and the servers go on', async () => {
    const out = resultsFolder();
    const slow = ['--endpoints', 'hello', ...small, '--duration', '12s'];
    const run = loadlab(['bench', ...slow, '--out', out], { environment: variables() });
    await printed(run, /rounds 1–2 of 6/);
    run.kill('SIGINT');
    expect((await run).exitCode).toBe(130);
    expect(setIn(out).status).toBe('partial');
    expect((await fetch(`${known.node}/health?ready=1`)).status).toBe(200);
  });
});

describe('what is said of remote servers', () => {
  test('in the environment alone, it is ignored for other environments', async () => {
    const environment = { ...variables(), LOADLAB_BASE_URLS: 'nonsense', LOADLAB_ENV: 'native' };
    expect((await loadlab(['bench', '--dry-run'], { environment })).exitCode).toBe(0);
  });

  test.each<[string, string[], RegExp]>([
    [
      'on the command line, it is refused for them',
      ['--redis-url', 'redis://h'],
      /--redis-url is for servers that run/,
    ],
    ['nothing at all', ['--env', 'remote'], /no base URL is given for go, node/],
    ['a share that is neither yes nor no', ['--env', 'remote', '--same-host=maybe'], /Say yes or no/],
  ])('%s', async (_, args, line) => {
    const run = await loadlab(['bench', ...args]);
    expect(run.stderr).toMatch(line);
    expect(run.exitCode).toBe(2);
  });

  test('an empty variable is none', async () => {
    const environment = { ...variables(), LOADLAB_REDIS_URL: '', LOADLAB_DATABASE_URL: '', LOADLAB_SAME_HOST: '' };
    const run = await loadlab(['bench', '--dry-run', '--endpoints', 'hello'], { environment });
    expect(run.exitCode, run.all).toBe(0);
    expect(run.stdout).toMatch(/^generations 1$/m);
  });
});

// Last: nothing is left of the servers afterwards.
test('an API that dies in the middle: exit code 4, it is named, and the set is partial', async () => {
  const out = resultsFolder();
  const slow = ['--endpoints', 'hello', ...small, '--duration', '12s'];
  const run = loadlab(['bench', ...slow, '--out', out], { environment: variables() });
  await printed(run, /rounds 1–2 of 6/);
  const { pid } = (await (await fetch(`${known.go}/health`)).json()) as { pid: number };
  process.kill(pid, 'SIGKILL');
  const ended = await run;
  expect(ended.exitCode, ended.all).toBe(4);
  expect(ended.stderr).toContain(`${known.go} (variant go) does not answer any more`);
  expect(setIn(out)).toMatchObject({ status: 'partial' });
});
