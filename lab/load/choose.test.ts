import { expect, test } from 'vitest';
import { chooseGenerator, type GeneratorFacts, type WantedGenerator } from './choose.ts';

const k6 = { version: '1.3.0' };

test.each<[WantedGenerator, GeneratorFacts, string, string]>([
  ['auto', { k6, cores: 2, sameHost: true }, 'builtin', 'share 2 cores'],
  ['auto', { k6, cores: 3, sameHost: true }, 'builtin', 'share 3 cores'],
  ['auto', { k6, cores: 1, sameHost: true }, 'builtin', 'share 1 core,'],
  ['auto', { k6, cores: 4, sameHost: true }, 'k6', 'share 4 cores'],
  ['auto', { k6, cores: 64, sameHost: true }, 'k6', 'k6 1.3.0'],
  ['auto', { k6, cores: 1, sameHost: false }, 'k6', 'another host'],
  ['auto', { k6: null, cores: 64, sameHost: true }, 'builtin', 'no k6'],
  ['auto', { k6: null, cores: 64, sameHost: false }, 'builtin', 'no k6'],
  ['k6', { k6, cores: 2, sameHost: true }, 'k6', 'asked for'],
  ['k6', { k6: null, cores: 2, sameHost: true }, 'k6', 'asked for'],
  ['builtin', { k6, cores: 64, sameHost: false }, 'builtin', 'asked for'],
])('%s with %j is %s', (wanted, facts, name, why) => {
  const choice = chooseGenerator(wanted, facts);
  expect(choice.name).toBe(name);
  expect(choice.chosen).toContain(why);
  expect(choice.chosen).not.toContain('\n');
});
