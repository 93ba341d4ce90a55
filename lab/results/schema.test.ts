import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { sets } from '../../tests/fixtures/sets.ts';
import { repositoryRoot } from '../contract/root.ts';
import { schemaFiles } from './schema.ts';

const read = (path: string): string => readFileSync(join(repositoryRoot, path), 'utf8');
const json = (path: string): unknown => JSON.parse(read(path));

/** Files of a kind that lie in the clone. */
function found(pattern: RegExp, depth: number): string[] {
  return readdirSync(repositoryRoot, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !/^(\.|node_modules$|dist$)/.test(entry.name))
    .flatMap(({ name }) => readdirSync(join(repositoryRoot, name), { withFileTypes: true, recursive: depth > 1 }))
    .map((entry) => join(entry.parentPath, entry.name).slice(repositoryRoot.length + 1))
    .filter((path) => pattern.test(path));
}

test.each(Object.entries(schemaFiles()))(
  'contract/%s is what the types say; `npm run schemas` makes it anew',
  (file, text) => {
    expect(read(`contract/${file}`)).toBe(text);
  },
);

test('every schema in contract/ is made from the types', () => {
  const files = readdirSync(join(repositoryRoot, 'contract')).filter((name) => name.endsWith('.schema.json'));
  expect(files.sort()).toEqual(Object.keys(schemaFiles()).sort());
});

describe('an independent validator', () => {
  // Strict: a keyword that ajv does not know would be a check that nobody makes.
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  for (const file of Object.keys(schemaFiles())) ajv.addSchema(json(`contract/${file}`) as object, file);

  const validate = (schema: string, value: unknown): unknown => {
    ajv.validate(schema, value);
    return ajv.errors ?? [];
  };

  test('accepts contract and thresholds', () => {
    expect(validate('contract.schema.json', json('contract/contract.json'))).toEqual([]);
    expect(validate('thresholds.schema.json', json('contract/thresholds.json'))).toEqual([]);
  });

  test.each(found(/^studies\/[^/]+\/study\.json$/, 2))('accepts %s', (path) => {
    expect(validate('study.schema.json', json(path))).toEqual([]);
  });

  test.each(found(/^[^/]+\/stack\.json$/, 1))('accepts %s', (path) => {
    expect(validate('stack.schema.json', json(path))).toEqual([]);
  });

  test.each(Object.entries(sets))('accepts the result set %s as it is saved', (_, build) => {
    expect(validate('result-set.schema.json', JSON.parse(JSON.stringify(build())))).toEqual([]);
  });

  test.each([
    ['a field too many', (set: object) => ({ ...set, more: 1 })],
    ['a figure as text', (set: object) => ({ ...set, finishedAt: 5 })],
    ['another version', (set: object) => ({ ...set, schemaVersion: 2 })],
  ])('refuses %s', (_, change) => {
    expect(validate('result-set.schema.json', change(sets.quick()))).not.toEqual([]);
  });
});
