import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { ResultSet } from '../../lab/model/result.ts';
import {
  copyOfClone,
  dataFolder,
  loadlab,
  onlySet,
  printed,
  processesIn,
  resultsFolder,
  type LoadlabRun,
} from './loadlab.ts';

const options = '--endpoints hello --vus 5 --duration 8s --rounds 10 --generator builtin'.split(' ');
/** Printed when the first generation is measured. */
const measuring = /generation 1 of 5/;

function setIn(out: string): ResultSet {
  return JSON.parse(readFileSync(join(onlySet(out), 'result.json'), 'utf8')) as ResultSet;
}

describe.runIf(process.platform === 'linux')('whatever ends a study, nothing is lost and nothing left running', () => {
  // Built and seeded once: only the first study pays for that.
  const [root, dataDir] = [copyOfClone(), dataFolder()];

  function start(out: string): LoadlabRun {
    const run = loadlab(['bench', ...options, '--out', out], { root, dataDir });
    onTestFinished(() => void run.kill('SIGKILL'));
    return run;
  }

  test.each([
    ['Ctrl-C', ['SIGINT']],
    ['Ctrl-C three times in a row', ['SIGINT', 'SIGINT', 'SIGINT']],
    ['a polite kill', ['SIGTERM']],
  ] as const)('%s: exit code 130, a partial set', async (_, signals) => {
    const out = resultsFolder();
    const run = start(out);
    await printed(run, measuring);
    for (const signal of signals) run.kill(signal);
    const ended = await run;
    expect(ended.exitCode, ended.all).toBe(130);
    const set = setIn(out);
    expect(set.status).toBe('partial');
    expect(set.statusReason).toMatch(/interrupted by SIG(INT|TERM)/);
    expect(set.headline.runs).toBeGreaterThanOrEqual(2);
    expect(ended.stdout).toContain('PARTIAL SET');
    expect(processesIn([root, dataDir])).toEqual([]);
  });

  test.each([
    ['while servers start', 'starting PostgreSQL'],
    ['during the first warm-up', 'parity: hello is the same'],
  ])('Ctrl-C %s: exit code 130, no set of nothing, nothing left', async (_, line) => {
    const out = resultsFolder();
    const run = start(out);
    await printed(run, line);
    run.kill('SIGINT');
    const ended = await run;
    expect(ended.exitCode, ended.all).toBe(130);
    expect(readdirSync(out)).toEqual([]);
    expect(processesIn([root, dataDir])).toEqual([]);
  });

  test('a server that dies in the middle: exit code 4, the server named with its last log lines', async () => {
    const out = resultsFolder();
    const run = start(out);
    await printed(run, measuring);
    // The APIs are being restarted now: the next ones are to die.
    const log = (): string => readFileSync(join(onlySet(out), 'logs/lab.log'), 'utf8');
    await expect.poll(log, { timeout: 60_000 }).toContain('restart-ended: generation 2');
    const api = processesIn([join(root, 'go-api')])[0];
    process.kill(Number(api?.split(' ')[0]), 'SIGKILL');
    const ended = await run;
    expect(ended.exitCode, ended.all).toBe(4);
    expect(ended.stderr).toMatch(/go.*SIGKILL/);
    expect(ended.stderr).toContain('listening');
    expect(setIn(out)).toMatchObject({ status: 'partial' });
    expect(processesIn([root, dataDir])).toEqual([]);
  });

  test('SIGKILL of the lab itself: its servers end too, and the set can be reviewed', async () => {
    const out = resultsFolder();
    const run = start(out);
    await printed(run, measuring);
    run.kill('SIGKILL');
    await run;
    await expect.poll(() => processesIn([root, dataDir]), { timeout: 30_000 }).toEqual([]);
    const review = await loadlab(['review', onlySet(out)]);
    expect(review.exitCode).toBe(0);
    expect(review.stdout).toContain('PARTIAL SET');
  });
});

test('two labs at once in one clone both finish', async () => {
  const out = resultsFolder();
  const bench = ['bench', ...'--endpoints products --vus 2 --duration 400ms --rounds 2 --out'.split(' '), out];
  const [one, other] = await Promise.all([loadlab(bench), loadlab(bench)]);
  expect([one.exitCode, other.exitCode], `${one.all}\n${other.all}`).toEqual([0, 0]);
});
