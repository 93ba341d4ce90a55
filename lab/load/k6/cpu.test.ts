import { describe, expect, it } from 'vitest';
import { parsePeakResident, parseStat, settleCpu } from './cpu.ts';

describe('parseStat', () => {
  it('reads own time and that of reaped children, whatever the name of the program', () => {
    const text =
      '4242 (a ) b (c) S 1 4242 4242 0 -1 4194560 9000 120 3 0 150 25 700 80 20 0 9 0 123456 1260000000 9000 18446744073709551615';
    expect(parseStat(text)).toEqual({
      own: { userMs: 1500, systemMs: 250 },
      reapedChildren: { userMs: 7000, systemMs: 800 },
    });
  });

  it('refuses another text', () => {
    expect(() => parseStat('4242 (k6) S 1')).toThrow('not a /proc/<pid>/stat');
  });
});

describe('parsePeakResident', () => {
  it('reads bytes, or null without the line', () => {
    expect(parsePeakResident('Name:\tk6\nVmPeak:\t  999 kB\nVmHWM:\t   81920 kB\n')).toBe(83_886_080);
    expect(parsePeakResident('Name:\tk6\n')).toBeNull();
  });
});

describe('settleCpu', () => {
  const last = { userMs: 800, systemMs: 100 };

  it('takes the exact figure where the last reading does not contradict it', () => {
    expect(settleCpu({ userMs: 900, systemMs: 120 }, last, 100, 2)).toEqual({ userMs: 900, systemMs: 120 });
    expect(settleCpu({ userMs: 10, systemMs: 0 }, null, 100, 2)).toEqual({ userMs: 10, systemMs: 0 });
  });

  it('takes the last reading when another child was reaped meanwhile', () => {
    expect(settleCpu({ userMs: 5000, systemMs: 120 }, last, 100, 2)).toEqual(last);
  });
});
