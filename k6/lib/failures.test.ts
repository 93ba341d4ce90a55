import { describe, expect, it } from 'vitest';
import { bodyDifference, failureKind, failureKinds, failureMetric } from './failures.ts';

describe('failureKind', () => {
  it.each([
    [500, 1500, '', 'status 500'],
    [503, 1503, '', 'status 503'],
    [418, 1418, '', 'status other'],
    [0, 1212, 'dial: connection refused', 'ECONNREFUSED'],
    [0, 1220, 'read: connection reset by peer', 'ECONNRESET'],
    [0, 1050, 'request timeout', 'timeout'],
    [0, 1211, 'dial: i/o timeout', 'timeout'],
    [0, 1000, 'EOF', 'closed'],
    [0, 1000, 'unexpected EOF', 'closed'],
    [0, 1101, 'lookup: no such host', 'dns'],
    [0, 1210, 'dial: unknown', 'connect'],
    [0, 1310, 'x509', 'tls'],
    [0, 1000, 'malformed HTTP response', 'other'],
  ])('status %d, code %d, %j: %s', (status, code, error, kind) => {
    expect(failureKind(status, code, error)).toBe(kind);
    expect(failureKinds).toContain(kind);
  });
});

describe('failureMetric', () => {
  it('gives every kind a name that k6 accepts, and no two the same', () => {
    const names = failureKinds.map(failureMetric);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_]{1,128}$/);
    expect(new Set(names).size).toBe(failureKinds.length);
  });
});

describe('bodyDifference', () => {
  it('says where, what, and both lengths', () => {
    expect(bodyDifference('{"a":2}', '{"a":1}')).toBe(
      'first difference at character 5 ("2}"; 7 characters, the reference has 7)',
    );
    expect(bodyDifference('', 'abc')).toBe(
      'first difference at character 0 (the body ends; 0 characters, the reference has 3)',
    );
    expect(bodyDifference('abcd', 'abc')).toContain('first difference at character 3 ("d"');
  });
});
