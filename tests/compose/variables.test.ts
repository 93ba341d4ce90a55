import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readContract } from '../../lab/contract/read.ts';
import { repositoryRoot } from '../../lab/contract/root.ts';

const composeText = readFileSync(join(repositoryRoot, 'docker-compose.yml'), 'utf8');
const exampleText = readFileSync(join(repositoryRoot, '.env.example'), 'utf8');

/** Name and default of every variable that docker-compose.yml uses, as often as it does. */
const used = [...composeText.matchAll(/(?<!\$)\$\{(\w+)([^}]*)\}/g)].map(([, name = '', rest = '']) => ({
  name,
  rest,
}));

/** Name, default and description of every variable that .env.example lists. */
const listed = [...exampleText.matchAll(/^#([A-Z]\w*)=(\S*)(?: +# (.*))?$/gm)].map(([, name = '', value = '']) => ({
  name,
  value,
}));

function sorted(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}

test('every variable has a default, the same wherever it is used', () => {
  const defaults = new Map<string, string>();
  for (const { name, rest } of used) {
    expect(rest, name).toMatch(/^:-/);
    expect(defaults.get(name) ?? rest, name).toBe(rest);
    defaults.set(name, rest);
  }
});

test('.env.example names exactly those, each once, with the same default', () => {
  expect(listed.map(({ name }) => name).sort()).toEqual(sorted(used.map(({ name }) => name)));
  const byDefault = new Map(used.map(({ name, rest }) => [name, rest.slice(2)]));
  for (const { name, value } of listed) expect(value, name).toBe(byDefault.get(name));
});

test('.env.example changes nothing as it stands: each line is a comment or empty', () => {
  expect(exampleText.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
});

test('PostgreSQL takes the pools of both APIs, twice over', async () => {
  const { pools } = await readContract(join(repositoryRoot, 'contract'));
  const largest = Number(/max_connections=(\d+)/.exec(composeText)?.[1]);
  expect(largest).toBe(200);
  expect(2 * 2 * pools.database).toBeLessThan(largest);
});
