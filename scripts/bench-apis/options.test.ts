import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('defaults, and what is given instead', () => {
  expect(readOptions([])).toMatchObject({ rounds: 10, seconds: 1, vus: [20, 100], help: false });
  expect(readOptions(['--rounds', '6', '--seconds', '3', '--vus', '50'])).toMatchObject({
    rounds: 6,
    seconds: 3,
    vus: [50],
  });
});

test.each([
  ['--rounds', '7'],
  ['--rounds', '0'],
  ['--seconds', '1.5'],
  ['--vus', '20,'],
  ['--vus', '1001'],
  ['--what'],
])('%s %s is refused', (...args) => {
  expect(() => readOptions(args)).toThrow(/--/);
});
