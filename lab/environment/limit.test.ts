import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { limitTo } from './limit.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('comes also when nobody holds it but who waits, and the collector has run', async () => {
  const limit = limitTo(200, new AbortController().signal);
  await delay(20);
  collectGarbage();
  await delay(400);
  expect(limit.aborted).toBe(true);
  expect(limit.reason).toMatchObject({ name: 'TimeoutError' });
});

test('comes earlier with another signal, for its reason', () => {
  const controller = new AbortController();
  const limit = limitTo(60_000, controller.signal);
  controller.abort(new Error('interrupted'));
  expect(limit.reason).toMatchObject({ message: 'interrupted' });
});
