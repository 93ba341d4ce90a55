import { expect, test } from 'vitest';
import { chooseGenerator, type GeneratorFacts, type WantedGenerator } from './choose.ts';

const k6 = { version: '1.3.0' };

test.each<[WantedGenerator, GeneratorFacts, string, string]>([
  ['auto', { k6, cores: 2, sameHost: true }, 'builtin', 'share 2 cores'],
  ['auto', { k6, cores: 3, sameHost: true }, 'builtin', 'share 3 cores'],
  ['auto', { k6, cores: 1, sameHost: true }, 'builtin', 'share 1 core;'],
  ['auto', { k6, cores: 3.5, sameHost: true }, 'builtin', 'share 3.5 cores'],
  ['auto', { k6, cores: 4, sameHost: true }, 'k6', 'share 4 cores'],
  ['auto', { k6, cores: 64, sameHost: true }, 'k6', 'share 64 cores'],
  ['auto', { k6, cores: 1, sameHost: false }, 'k6', 'another host'],
  ['auto', { k6: null, cores: 64, sameHost: true }, 'builtin', 'k6 was not found'],
  ['auto', { k6: null, cores: 64, sameHost: false }, 'builtin', 'k6 was not found'],
  ['auto', { k6: null, whyNoK6: 'k6 0.40.0 is too old', cores: 64, sameHost: true }, 'builtin', 'is too old'],
  ['k6', { k6, cores: 2, sameHost: true }, 'k6', 'as asked'],
  ['k6', { k6: null, cores: 2, sameHost: true }, 'k6', 'as asked'],
  ['builtin', { k6, cores: 64, sameHost: false }, 'builtin', 'as asked'],
])('%s with %j is %s', (wanted, facts, name, why) => {
  const choice = chooseGenerator(wanted, facts);
  expect(choice.name).toBe(name);
  expect(choice.chosen).toContain(why);
  expect(choice.chosen).not.toContain('\n');
});
