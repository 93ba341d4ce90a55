import { describe, expect, it } from 'vitest';
import { parseDuration, readSettings } from './settings.ts';

const least = { BASE_URL: 'http://127.0.0.1:8080', STACK: 'go' };

describe('parseDuration', () => {
  it.each([
    ['30s', 30_000],
    ['1m30s', 90_000],
    ['1500ms', 1500],
    ['1.5s', 1500],
    ['1h', 3_600_000],
  ])('%s is %d ms', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  it.each(['', '30', 's', '30 s', '-1s', '30S', '1m 30s', '30sec'])('%j is none', (text) => {
    expect(parseDuration(text)).toBeNull();
  });
});

describe('readSettings', () => {
  it('has the published defaults', () => {
    const { settings, problems } = readSettings(least);
    expect(problems).toEqual([]);
    expect(settings).toEqual({
      baseUrl: 'http://127.0.0.1:8080',
      stack: 'go',
      vus: 20,
      durationMs: 30_000,
      check: 'bytes',
      executor: 'constant-vus',
      contractDir: null,
      resultsDir: null,
      summary: null,
      expectCache: null,
      reference: null,
      stopAfter: null,
    });
  });

  it('drops the slash at the end of BASE_URL, and takes an empty variable for an unset one', () => {
    const { settings, problems } = readSettings({ ...least, BASE_URL: 'http://go-api:8080/', VUS: '' });
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({ baseUrl: 'http://go-api:8080', vus: 20 });
  });

  it('reads relative paths from the folder in which k6 was started', () => {
    const environment = { ...least, PWD: '/home/me', RESULTS_DIR: 'out', SUMMARY: '/tmp/a.json' };
    expect(readSettings(environment).settings).toMatchObject({ resultsDir: '/home/me/out', summary: '/tmp/a.json' });
    expect(readSettings({ ...least, RESULTS_DIR: 'out' }).problems).toEqual([
      'RESULTS_DIR: "out" is not an absolute path, and PWD is not set',
    ]);
  });

  it('reads when a warm-up may end', () => {
    const { settings } = readSettings({ ...least, STOP_AFTER: '500ms', STOP_AFTER_REQUESTS: '5000' });
    expect(settings.stopAfter).toEqual({ durationMs: 500, requests: 5000 });
  });

  it.each([
    ['VUS', 'abc', 'VUS: "abc" is not a whole number from 1 to 10000'],
    ['VUS', '0', 'VUS: "0" is not a whole number from 1 to 10000'],
    ['VUS', '1.5', 'VUS: "1.5" is not a whole number from 1 to 10000'],
    ['VUS', '10001', 'VUS: "10001" is not a whole number from 1 to 10000'],
    ['CHECK', 'foo', 'CHECK: "foo" is not one of json, bytes, none'],
    ['EXECUTOR', 'ramping-vus', 'EXECUTOR: "ramping-vus" is not one of constant-vus'],
    ['EXPECT_CACHE', 'MISS', 'EXPECT_CACHE: "MISS" is not one of HIT, any'],
    ['DURATION', '30', 'DURATION: "30" is not a duration of at least 1000ms, such as 30s or 1m30s'],
    ['DURATION', '500ms', 'DURATION: "500ms" is not a duration of at least 1000ms, such as 30s or 1m30s'],
    ['BASE_URL', '127.0.0.1:8080', 'BASE_URL: "127.0.0.1:8080" is not an http:// or https:// URL without a path'],
    ['BASE_URL', 'http://a/b', 'BASE_URL: "http://a/b" is not an http:// or https:// URL without a path'],
    ['STACK', '../go', 'STACK: "../go" is not a name of letters, digits, dots, hyphens'],
    ['BASE_URL', undefined, 'BASE_URL is missing (for example -e BASE_URL=http://127.0.0.1:8080)'],
  ])('refuses %s=%s in one sentence', (name, value, problem) => {
    expect(readSettings({ ...least, [name]: value }).problems).toEqual([problem]);
  });

  it('reports every problem, not the first alone', () => {
    expect(readSettings({ VUS: 'abc', CHECK: 'foo' }).problems).toHaveLength(4);
  });
});
