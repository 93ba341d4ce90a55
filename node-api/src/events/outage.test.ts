import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';
import { Outage } from './outage.ts';

function watched() {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const outage = new Outage(
    createLog((line) => lines.push(line)),
    'cache',
    () => clock.ms,
  );
  return { lines, clock, outage };
}

describe('an outage', () => {
  it('writes one line when it begins and one when it ends', () => {
    const { lines, outage } = watched();
    outage.worked();
    outage.failed(new Error('connect ECONNREFUSED'));
    outage.failed(new Error('connect ECONNREFUSED'));
    outage.worked();
    outage.worked();
    expect(lines).toEqual([
      '{"level":"warn","event":"cache-down","error":"connect ECONNREFUSED"}\n',
      '{"level":"info","event":"cache-up"}\n',
    ]);
  });

  it('stays quiet for a second when it flaps', () => {
    const { lines, clock, outage } = watched();
    for (let i = 0; i < 100; i += 1) {
      clock.ms += 15;
      outage.failed(new Error('late'));
      outage.worked();
    }
    expect(lines.length).toBeLessThanOrEqual(4);
  });

  it('names an error that has a code only', () => {
    const { lines, outage } = watched();
    outage.failed(Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }));
    expect(lines[0]).toContain('"error":"ECONNREFUSED"');
  });
});
