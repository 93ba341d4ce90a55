import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { z } from 'zod';
import { goModules } from './go-modules.ts';
import { serviceVariables, type Services } from './services.ts';
import { add, nothing, type Skipped, type Tally } from './tally.ts';

/** Runs every vitest test; the reporter beside this file writes down why tests were skipped, which the others do not. */
export async function vitestTests(root: string, services: Services, folder: string): Promise<Tally> {
  const file = join(folder, 'vitest.json');
  const reporter = join(root, 'dist/scripts/test/vitest-tally.js');
  const run = await execa('npx', ['--no-install', 'vitest', 'run', '--reporter=default', `--reporter=${reporter}`], {
    cwd: root,
    stdio: 'inherit',
    reject: false,
    env: { ...serviceVariables(services), LOADLAB_TALLY: file },
  });
  const tally = VitestTally.parse(JSON.parse(readFileSync(file, 'utf8')));
  // A file that cannot be loaded has no tests that fail: the exit code alone tells.
  return run.exitCode !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

export const VitestTally = z.strictObject({
  passed: z.int(),
  failed: z.int(),
  skipped: z.array(z.strictObject({ name: z.string(), reason: z.string() })),
});

const GoEvent = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
});
type GoEvent = z.infer<typeof GoEvent>;

/** Runs every Go test of every stack written in Go; prints what failed. */
export async function goTests(root: string, services: Services): Promise<Tally> {
  let tally = nothing;
  for (const folder of goModules(root)) tally = add(tally, await testsOf(root, folder, services));
  return tally;
}

async function testsOf(root: string, folder: string, services: Services): Promise<Tally> {
  const run = await execa('go', ['test', '-json', '-count=1', './...'], {
    cwd: join(root, folder),
    reject: false,
    env: serviceVariables(services),
  });
  const events = run.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => GoEvent.parse(JSON.parse(line)));
  const tally = tallyOf(events);
  process.stdout.write(`${tally.failed === 0 ? 'ok  ' : 'FAIL'}  go test of ${folder}: ${tally.passed} passed\n`);
  const broken = run.exitCode !== 0 && tally.failed === 0;
  if (tally.failed > 0 || broken) process.stdout.write(failures(events) + run.stderr);
  return broken ? { ...tally, failed: 1 } : tally;
}

function tallyOf(events: readonly GoEvent[]): Tally {
  const ended = events.filter((event) => event.Test !== undefined);
  const count = (action: string): number => ended.filter((event) => event.Action === action).length;
  const skipped = ended.filter((event) => event.Action === 'skip').map((event) => skipOf(event, events));
  return { ...nothing, passed: count('pass'), failed: count('fail'), skipped };
}

/** The reason is the last line that a test logged before it was skipped: `file_test.go:12: reason`. */
function skipOf(skip: GoEvent, events: readonly GoEvent[]): Skipped {
  const logged = outputOf(skip, events).filter((line) => /_test\.go:\d+: /.test(line));
  const reason = logged
    .at(-1)
    ?.replace(/^\s*\S+_test\.go:\d+: /, '')
    .trim();
  return { name: `${skip.Package ?? ''} ${skip.Test ?? ''}`, reason: reason ?? 'no reason given' };
}

function outputOf(of: GoEvent, events: readonly GoEvent[]): string[] {
  return events
    .filter((event) => event.Action === 'output' && event.Package === of.Package && event.Test === of.Test)
    .map((event) => event.Output ?? '');
}

function failures(events: readonly GoEvent[]): string {
  const failed = events.filter((event) => event.Action === 'fail');
  return failed.flatMap((event) => outputOf(event, events)).join('');
}
