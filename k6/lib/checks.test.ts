import { describe, expect, it } from 'vitest';
import { checkNames, checksFor, type Expectation, passes, type ResponseFacts } from './checks.ts';

const good: ResponseFacts = { status: 200, bodyEqual: true, count: 100, xCache: 'HIT' };
const bytes: Expectation = { mode: 'bytes', count: 100, xCache: 'HIT' };

describe('checksFor', () => {
  it.each([
    ['bytes', 100, 'HIT', [checkNames.status, checkNames.bytes, checkNames.cache]],
    ['bytes', null, null, [checkNames.status, checkNames.bytes]],
    ['json', 100, 'HIT', [checkNames.status, checkNames.json, checkNames.cache]],
    ['json', null, null, [checkNames.status]],
    ['none', 100, null, [checkNames.status]],
    ['none', 100, 'HIT', [checkNames.status, checkNames.cache]],
  ] as const)('in mode %s with count %s and X-Cache %s asks for %j', (mode, count, xCache, names) => {
    expect(checksFor({ mode, count, xCache })).toEqual(names);
  });
});

describe('passes', () => {
  it.each(Object.values(checkNames))('"%s" passes for a good response', (name) => {
    expect(passes(name, good, bytes)).toBe(true);
  });

  it.each([
    [checkNames.status, { status: 500 }],
    [checkNames.status, { status: 0 }],
    [checkNames.status, { status: 204 }],
    [checkNames.status, { status: 304 }],
    [checkNames.bytes, { bodyEqual: false }],
    [checkNames.json, { count: 99 }],
    [checkNames.json, { count: null }],
    [checkNames.cache, { xCache: 'MISS' }],
    [checkNames.cache, { xCache: 'hit' }],
    [checkNames.cache, { xCache: null }],
  ] as const)('"%s" fails for %j', (name, change) => {
    expect(passes(name, { ...good, ...change }, bytes)).toBe(false);
  });

  it('fails the count check for a body without a count even where none is expected', () => {
    expect(passes(checkNames.json, { ...good, count: null }, { ...bytes, count: null })).toBe(false);
  });

  it('judges each check by its own fact alone', () => {
    expect(passes(checkNames.bytes, { ...good, status: 500 }, bytes)).toBe(true);
    expect(passes(checkNames.status, { ...good, bodyEqual: false }, bytes)).toBe(true);
  });
});
