import { expect, test } from 'vitest';
import type { Contestant, Sample } from './contestant.ts';
import { runInTurns, together } from './turns.ts';

const run = {
  seconds: 1,
  connections: 20,
  target: {
    title: 'a body',
    baseUrl: 'http://127.0.0.1:1',
    endpoint: { id: 'hello', path: '/hello', title: 'hello', touches: [] },
    body: Buffer.from('{}'),
  },
};

test('two contestants take turns of a quarter second, in an order and its reverse', async () => {
  const order: string[] = [];
  const contestant = (name: string): Contestant => ({
    name,
    checks: 'nothing',
    livesOn: true,
    run: ({ seconds }) => {
      order.push(`${name} ${seconds}`);
      return Promise.resolve({ requests: 100, requestsPerSecond: 400, cpuMicrosPerRequest: 20 });
    },
    close: () => Promise.resolve(),
  });
  const samples = await runInTurns([contestant('a'), contestant('b')], run);
  expect(order.join(', ')).toBe('a 0.25, b 0.25, b 0.25, a 0.25, a 0.25, b 0.25, b 0.25, a 0.25');
  expect(samples.get('a')).toEqual({ requests: 400, requestsPerSecond: 400, cpuMicrosPerRequest: 20 });
});

test('turns together: all requests over all time, CPU by requests', () => {
  const turn = (requests: number, seconds: number, cpuMicrosPerRequest: number | null): Sample => ({
    requests,
    requestsPerSecond: requests / seconds,
    cpuMicrosPerRequest,
  });
  expect(together([turn(100, 1, 10), turn(300, 1.5, 20)])).toEqual({
    requests: 400,
    requestsPerSecond: 160,
    cpuMicrosPerRequest: 17.5,
  });
  expect(together([turn(100, 1, 10), turn(300, 1.5, null)]).cpuMicrosPerRequest).toBeNull();
  expect(together([turn(0, 1, null)])).toEqual({ requests: 0, requestsPerSecond: 0, cpuMicrosPerRequest: null });
});
