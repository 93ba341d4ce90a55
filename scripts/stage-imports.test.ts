import { join } from 'node:path';
import { ESLint } from 'eslint';
import { expect, test } from 'vitest';
import { repositoryRoot } from '../lab/contract/root.ts';

const rules = [
  'import-x/no-restricted-paths',
  'no-restricted-globals',
  'no-restricted-properties',
  'no-restricted-syntax',
];
const eslint = new ESLint({
  cwd: repositoryRoot,
  ruleFilter: ({ ruleId }) => rules.includes(ruleId),
  // The files are not there: they have no types, and these rules need none.
  overrideConfig: [{ files: ['**/*.ts'], languageOptions: { parserOptions: { project: false } } }],
});

async function messages(file: string, code: string): Promise<string[]> {
  const [result] = await eslint.lintText(code, { filePath: join(repositoryRoot, file) });
  return result!.messages.map(({ ruleId, message }) => `${ruleId ?? 'broken'}: ${message}`);
}

test.each([
  ['lab/statistics/x.ts', "import '../report/index.ts';"],
  ['lab/report/x.ts', "import { summarise } from '../statistics/index.ts';\nsummarise();"],
  ['lab/environment/native/x.ts', "import type { Line } from '../../report/line.ts';"],
  ['lab/plan/x.ts', "import '../run.ts';"],
  ['lab/plan/x.ts', "export * from '../run/provenance.ts';"],
  ['lab/commands/x.ts', "const report = await import('../report/index.ts');"],
  ['lab/cli.ts', "import './plan/index.ts';"],
  ['lab/model/x.ts', "import '../plan/index.ts';"],
])('%s may not: %s', async (file, code) => {
  expect(await messages(file, code)).toEqual([expect.stringMatching(/^import-x\/no-restricted-paths: /)]);
});

test.each([
  ['lab/statistics/x.ts', "import '../model/measurement.ts';\nimport './index.ts';"],
  ['lab/environment/native/x.ts', "import '../../contract/read.ts';\nimport 'pg';\nimport 'node:fs';"],
  ['lab/load/builtin/x.ts', "import '../../../k6/lib/checks.ts';"],
  ['lab/run/x.ts', "import '../report/index.ts';\nimport '../plan/index.ts';"],
  ['lab/run.ts', "import './report/index.ts';"],
  ['lab/commands/x.ts', "const run = await import('../run.ts');"],
])('%s may: %s', async (file, code) => {
  expect(await messages(file, code)).toEqual([]);
});

test.each(['new Date()', 'Date()', 'Date.now()', 'performance.now()', 'Math.random()'])(
  'no %s in pure stages',
  async (call) => {
    for (const stage of ['statistics', 'verdicts']) {
      expect(await messages(`lab/${stage}/x.ts`, `export const now = ${call};`)).toHaveLength(1);
    }
    expect(await messages('lab/report/x.ts', `export const now = ${call};`)).toEqual([]);
  },
);

test('a date that is given is no clock', async () => {
  expect(await messages('lab/statistics/x.ts', 'export const at = new Date(0);')).toEqual([]);
});
