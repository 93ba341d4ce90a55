import { describe, expect, it } from 'vitest';
import { createLogReader } from './log.ts';

const line = (fields: Record<string, string>): string => JSON.stringify({ level: 'warning', ...fields });

describe('createLogReader', () => {
  it('finds examples of failed requests and checks, each once', () => {
    const reader = createLogReader();
    for (let vu = 0; vu < 3; vu += 1) {
      reader.add(line({ msg: `failed request: status 500: example ${vu}`, source: 'console' }));
      reader.add(line({ msg: 'failed request: ECONNREFUSED: dial: connection refused', source: 'console' }));
      reader.add(line({ msg: 'failed check: X-Cache is HIT: X-Cache is MISS', source: 'console' }));
    }
    const { requestExamples, failedChecks } = reader.findings();
    expect([...requestExamples]).toEqual([
      ['status 500', 'example 0'],
      ['ECONNREFUSED', 'dial: connection refused'],
    ]);
    expect(failedChecks).toEqual(['X-Cache is HIT: X-Cache is MISS']);
  });

  it('keeps at most 5 distinct examples and 20 lines, and none of those that k6 writes per request', () => {
    const reader = createLogReader();
    for (let n = 0; n < 100; n += 1) {
      reader.add(line({ msg: `failed check: body: ${n}`, source: 'console' }));
      reader.add(line({ msg: 'Request Failed', error: 'refused' }));
    }
    const { failedChecks, tail } = reader.findings();
    expect(failedChecks).toHaveLength(5);
    expect(tail).toHaveLength(20);
    expect(tail.at(-1)).toBe('failed check: body: 99');
  });

  it('finds exceptions of the script', () => {
    const reader = createLogReader();
    reader.add(
      line({ level: 'error', msg: 'ReferenceError: x is not defined\n\tat file:///a.ts:1:1\n', source: 'stacktrace' }),
    );
    expect(reader.findings().scriptErrors).toEqual(['ReferenceError: x is not defined']);
  });

  it('takes lines that are no JSON as they are, and adds the error that k6 gives beside its message', () => {
    const reader = createLogReader();
    reader.add('panic: runtime error');
    reader.add('{"level":"error",');
    reader.add(line({ msg: 'failed to handle the end-of-test summary', error: 'could not open a.json' }));
    expect(reader.findings().tail).toEqual([
      'panic: runtime error',
      '{"level":"error",',
      'failed to handle the end-of-test summary: could not open a.json',
    ]);
  });
});
