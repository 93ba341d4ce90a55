import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadlab } from './loadlab.ts';

describe('bad input: one clear line, exit code 2, nothing started', () => {
  test.each<[string, string[], RegExp]>([
    ['a duration without a unit', ['bench', '--duration', '10'], /'10' is invalid.*number with a unit: 500ms, 10s, 2m/],
    ['no rounds', ['bench', '--rounds', '0'], /whole number from 1 to 50/],
    ['an unknown generator', ['bench', '--generator', 'wrk'], /Allowed choices are auto, k6, builtin/],
    ['an unknown study', ['bench', '--study', 'rust-vs-zig'], /no study "rust-vs-zig".*choose one of: .*go-vs-node/s],
    ['an unknown endpoint', ['bench', '--endpoints', 'goodbye'], /no endpoint "goodbye".*choose from: hello/s],
    ['two presets', ['bench', '--quick', '--published'], /cannot be used with/],
    ['slices too short', ['bench', '--duration', '1s', '--rounds', '10'], /slices of 100\.0 ms/],
    ['an unknown option', ['bench', '--fast'], /unknown option '--fast'/],
    ['an unknown command', ['brench'], /unknown command 'brench'/],
    ['a set that is not there', ['review', '/nowhere'], /\/nowhere/],
  ])('%s', async (_, args, line) => {
    const run = await loadlab(args);
    expect(run.stderr).toMatch(line);
    expect(run.exitCode).toBe(2);
  });

  test('a set that is not one: file and place are named', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'loadlab-set-'));
    writeFileSync(join(folder, 'result.json'), '{"schemaVersion": 1}');
    const run = await loadlab(['review', folder]);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toMatch(/result\.json: \$\.\w+/);
  });
});

describe('--help and --dry-run', () => {
  test.each([['--help'], ['bench', '--help'], ['review', '--help'], ['up', '--help']])(
    'loadlab %s %s',
    async (...args) => {
      const run = await loadlab(args.filter((arg) => typeof arg === 'string'));
      expect(run.exitCode).toBe(0);
      expect(run.stdout).toContain('Usage: loadlab');
      for (const line of run.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    },
  );

  test('the same seed prints the same plan', async () => {
    const [one, other] = await Promise.all([
      loadlab(['bench', '--dry-run', '--seed', '5']),
      loadlab(['bench', '--dry-run', '--seed', '5']),
    ]);
    expect(one.exitCode).toBe(0);
    expect(one.stdout).toBe(other.stdout);
    expect(one.stdout).toContain('160 slices');
  });
});
