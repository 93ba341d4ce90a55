import js from '@eslint/js';
import importX, { createNodeResolver } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** The stages of the lab. One stage must not import another; only lab/run.ts and lab/run/ wire them (docs/decisions/). */
const stages = ['plan', 'environment', 'parity', 'load', 'sampling', 'statistics', 'verdicts', 'results', 'report'];

const noClock = 'statistics/ and verdicts/ have no clock.';

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', 'results/**'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ['./lab/tsconfig.json', './node-api/tsconfig.json', './k6/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-definitions': ['error', 'interface'],
      'max-lines': ['error', { max: 220, skipComments: true, skipBlankLines: true }],
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.test.ts', 'tests/**/*.ts'],
    rules: {
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-lines': ['error', { max: 400, skipComments: true, skipBlankLines: true }],
    },
  },
  {
    files: ['lab/**/*.ts'],
    plugins: { 'import-x': importX },
    rules: {
      'import-x/no-restricted-paths': [
        'error',
        {
          basePath: import.meta.dirname,
          zones: [
            ...stages.map((stage) => ({
              target: `./lab/${stage}`,
              from: './lab',
              except: [`./${stage}`, './model', './contract'],
              message: 'A stage imports the shared types (lab/model), the contract and its own folder only.',
            })),
            {
              target: ['./lab/cli.ts', './lab/commands'],
              from: './lab',
              except: ['./commands', './model', './contract', './run.ts'],
              message: 'Commands call lab/run.ts, and no stage.',
            },
            {
              target: ['./lab/model', './lab/contract'],
              from: './lab',
              except: ['./model', './contract'],
              message: 'What every stage shares imports none of them.',
            },
          ],
        },
      ],
    },
    settings: { 'import-x/resolver-next': [createNodeResolver({ extensions: ['.ts', '.js'] })] },
  },
  {
    files: ['lab/statistics/**/*.ts', 'lab/verdicts/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['node:*'], message: 'statistics/ and verdicts/ are pure: no I/O.' }] },
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Randomness comes from an injected seed.' },
        { object: 'Date', property: 'now', message: noClock },
      ],
      'no-restricted-globals': ['error', { name: 'performance', message: noClock }],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: noClock },
        { selector: "CallExpression[callee.name='Date']", message: noClock },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly' } },
  },
);
