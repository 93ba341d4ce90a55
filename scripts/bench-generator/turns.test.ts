import { expect, test } from 'vitest';
import type { Contestant } from './contestant.ts';
import { runInTurns } from './turns.ts';

test('two contestants take turns of a quarter second, and each gets its own sums', async () => {
  const order: string[] = [];
  const contestant = (name: string, requests: number): Contestant => ({
    name,
    checks: 'nothing',
    run: ({ seconds }) => {
      order.push(`${name} ${seconds}`);
      return Promise.resolve({ requestsInWindow: requests, windowMs: 250, requests: requests + 1, cpuMicros: 1000 });
    },
    close: () => Promise.resolve(),
  });
  const target = {
    title: 'a body',
    baseUrl: 'http://127.0.0.1:1',
    endpoint: { id: 'hello', path: '/hello', title: 'hello', touches: [] },
    body: Buffer.from('{}'),
  };
  const samples = await runInTurns([contestant('a', 100), contestant('b', 50)], {
    target,
    seconds: 1,
    connections: 20,
  });
  expect(order.join(', ')).toBe('a 0.25, b 0.25, b 0.25, a 0.25, a 0.25, b 0.25, b 0.25, a 0.25');
  expect(samples).toEqual([
    { requestsInWindow: 400, windowMs: 1000, requests: 404, cpuMicros: 4000 },
    { requestsInWindow: 200, windowMs: 1000, requests: 204, cpuMicros: 4000 },
  ]);
});
