import { describe, expect, test } from 'vitest';
import type { UsageReading } from '../model/environment.ts';
import { usageBetween } from './asked.ts';
import { observe } from './sampler.ts';

type Known = Exclude<UsageReading, { readonly unreadable: string }>;

const first: Known = { life: 'a', cpuMs: 1000, cpuUserMs: 600, cpuSystemMs: 400, residentBytes: 100, throttledMs: 5 };
const later = (change: Partial<Known>): Known => ({ ...first, ...change });

describe('what was used between two readings', () => {
  test('the total is split as its parts are, which may be counted more coarsely', () => {
    const after = later({ cpuMs: 1123, cpuUserMs: 690, cpuSystemMs: 430, residentBytes: 80, throttledMs: 7.5 });
    const usage = usageBetween(first, after, 1000, 2);
    expect(usage.cpuUserMs).toBeCloseTo(92.25, 10);
    expect(usage.cpuSystemMs).toBeCloseTo(30.75, 10);
    expect(usage).toMatchObject({ residentBytes: 100, throttledMs: 2.5, reason: null });
  });

  test('less than the parts can show is not lost', () => {
    expect(usageBetween(first, later({ cpuMs: 1004 }), 1000, 2)).toMatchObject({ cpuUserMs: 4, cpuSystemMs: 0 });
  });

  test.each<[string, UsageReading | undefined, UsageReading | undefined, RegExp]>([
    [
      'a first reading that there is not',
      { unreadable: 'no reading yet' },
      first,
      /at the start of the run: no reading/,
    ],
    ['a last one', first, { unreadable: 'the engine is silent' }, /at the end of the run: the engine is silent/],
    ['a component that came later', undefined, first, /not there during the whole run/],
    ['another life', first, later({ life: 'b', cpuMs: 2000 }), /restarted during the run/],
    ['a total that went backwards', first, later({ cpuMs: 999 }), /went backwards/],
    ['a part that went backwards', first, later({ cpuMs: 1100, cpuSystemMs: 390 }), /went backwards/],
    [
      'more than its machine can give',
      first,
      later({ cpuMs: 3100, cpuUserMs: 2700 }),
      /2100 ms of CPU in 1000 ms on 2/,
    ],
  ])('%s is no figure, and said so', (_, before, after, reason) => {
    const usage = usageBetween(before, after, 1000, 2);
    expect(usage).toMatchObject({ cpuUserMs: null, cpuSystemMs: null, residentBytes: null, throttledMs: null });
    expect(usage.reason).toMatch(reason);
  });

  test('of a machine whose cores are not known any use is believed', () => {
    expect(usageBetween(first, later({ cpuMs: 9000 }), 1000, null).cpuUserMs).toBe(8000);
  });

  test('memory that nobody tells is null with a reason, and costs no other figure', () => {
    const blind = (reading: Known): Known => ({ ...reading, residentBytes: null, throttledMs: null });
    const usage = usageBetween(blind(first), blind(later({ cpuMs: 1010 })), 1000, 2);
    expect(usage).toMatchObject({ cpuUserMs: 10, residentBytes: null, throttledMs: null });
    expect(usage.reason).toMatch(/memory/);
  });
});

test('an observation asks every component at both ends, beside those that the kernel counts', async () => {
  let asked = 0;
  const read = (): Promise<UsageReading> => {
    asked += 1;
    return Promise.resolve(later({ cpuMs: 1000 + asked }));
  };
  const observation = await observe({
    far: { kind: 'asked', read, cores: null },
    near: { kind: 'process', pid: process.pid },
  });
  expect(asked).toBe(1);
  const { components } = await observation.end();
  expect(asked).toBe(2);
  expect(components.far).toMatchObject({ cpuUserMs: 1, reason: null });
  expect(Object.keys(components).sort()).toEqual(['far', 'near']);
});
