import { join } from 'node:path';
import { execa } from 'execa';
import { goModules } from './go-modules.ts';
import { nothing, type Tally } from './tally.ts';

/** One check of the code itself: counts as one test. */
export type Step = (root: string) => Promise<Tally>;

/** Formatters, linters and types, the quick ones first. (`npm run build` has checked the lab's and node-api's types by now.) */
export function staticSteps(root: string): Step[] {
  const modules = goModules(root);
  return [
    check('prettier', ['npx', '--no-install', 'prettier', '--check', '.', '--log-level', 'warn']),
    check('gofmt', ['gofmt', '-l', ...modules], { wantsNoOutput: true }),
    check('types of the k6 scenarios', ['npx', '--no-install', 'tsc', '-p', 'k6']),
    ...modules.flatMap((folder) => [
      check(`go vet of ${folder}`, ['go', 'vet', './...'], { folder }),
      check(`golangci-lint of ${folder}`, ['golangci-lint', 'run', './...'], {
        folder,
        probe: ['golangci-lint', 'version'],
        hint: 'golangci-lint is not on PATH (https://golangci-lint.run/docs/welcome/install)',
      }),
    ]),
    check('eslint', ['npx', '--no-install', 'eslint', '.', '--max-warnings', '0']),
  ];
}

interface CheckOptions {
  readonly folder?: string;
  /** The tool prints what is wrong and exits 0. */
  readonly wantsNoOutput?: boolean;
  /** Where this command fails the check is skipped, with `hint` as the reason. */
  readonly probe?: readonly [string, ...string[]];
  readonly hint?: string;
}

function check(name: string, command: readonly [string, ...string[]], options: CheckOptions = {}): Step {
  return async (root) => {
    const cwd = join(root, options.folder ?? '.');
    if (options.probe !== undefined && !(await runs(options.probe, cwd))) {
      process.stdout.write(`skip  ${name}: ${options.hint ?? 'not here'}\n`);
      return { ...nothing, skipped: [{ name, reason: options.hint ?? 'not here' }] };
    }
    const { exitCode, all } = await execa(command[0], command.slice(1), { cwd, all: true, reject: false });
    const good = exitCode === 0 && !(options.wantsNoOutput === true && all.trim() !== '');
    process.stdout.write(good ? `ok    ${name}\n` : `FAIL  ${name}\n${all}\n`);
    return good ? { ...nothing, passed: 1 } : { ...nothing, failed: 1 };
  };
}

async function runs(command: readonly [string, ...string[]], cwd: string): Promise<boolean> {
  return (await execa(command[0], command.slice(1), { cwd, reject: false })).exitCode === 0;
}
