import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('defaults, and every option', () => {
  expect(readOptions([])).toEqual({ rounds: 6, seconds: 2, connections: 20, warmUpSeconds: 3, help: false });
  const args = ['--rounds', '9', '--seconds=1', '--connections', '100', '--warm-up', '1', '--help'];
  expect(readOptions(args)).toEqual({ rounds: 9, seconds: 1, connections: 100, warmUpSeconds: 1, help: true });
});

test.each([
  [['--rounds', '0']],
  [['--rounds', 'x']],
  [['--seconds', '1.5']],
  [['--connections', '1001']],
  [['--what']],
])('%j is bad input', (args) => {
  expect(() => readOptions(args)).toThrow(expect.objectContaining({ code: 'BAD_ARGUMENT', exitCode: 2 }));
});
