import { describe, expect, it } from 'vitest';
import type { RunRequest } from '../../model/generator.ts';
import { commandLine, environmentFor } from './command.ts';

const request: RunRequest = {
  id: 'a',
  baseUrl: 'http://127.0.0.1:1',
  stack: 'go',
  endpoint: { id: 'hello', path: '/hello', title: 'hello', touches: [] },
  load: { executor: 'constant-vus', vus: 20 },
  durationMs: 1000,
  check: 'bytes',
  referenceBody: new Uint8Array(),
  expectedCache: null,
  rawDir: '/raw',
};
const files = { scenario: '/k6/hello.ts', summary: '/raw/a.k6.json', reference: '/tmp/ref', contractDir: '/contract' };
const binary = { path: 'k6', version: '2.2.0', knowsMachineReadableSummary: true };

describe('commandLine', () => {
  it('says everything by name', () => {
    expect(commandLine(binary, request, files).join(' ')).toBe(
      'run --quiet --no-color --no-usage-report --log-format=json --include-system-env-vars=false ' +
        '--new-machine-readable-summary=false -e BASE_URL=http://127.0.0.1:1 -e STACK=go -e EXECUTOR=constant-vus -e VUS=20 ' +
        '-e DURATION=1000ms -e CHECK=bytes -e EXPECT_CACHE=any -e SUMMARY=/raw/a.k6.json -e REFERENCE=/tmp/ref ' +
        '-e CONTRACT_DIR=/contract /k6/hello.ts',
    );
  });

  it('leaves out the flag that an older k6 does not know', () => {
    const args = commandLine({ ...binary, knowsMachineReadableSummary: false }, request, files);
    expect(args.join(' ')).not.toContain('machine-readable');
  });

  it('tells a warm-up when it may end', () => {
    const warmUp = { ...request, stopWhen: { minDurationMs: 2000, minRequests: 5000 } };
    const args = commandLine(binary, warmUp, files);
    expect(args).toContain('STOP_AFTER=2000ms');
    expect(args).toContain('STOP_AFTER_REQUESTS=5000');
  });
});

describe('environmentFor', () => {
  it('passes on nothing that would change the run', () => {
    const own = { PATH: '/bin', HOME: '/root', K6_VUS: '3', HTTP_PROXY: 'http://a', GOGC: '10', BASE_URL: 'http://b' };
    expect(environmentFor('/empty', own)).toEqual({
      PATH: '/bin',
      HOME: '/root',
      XDG_CONFIG_HOME: '/empty/config',
      K6_NO_USAGE_REPORT: 'true',
      K6_AUTO_EXTENSION_RESOLUTION: 'false',
    });
  });
});
