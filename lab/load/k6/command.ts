import { join } from 'node:path';
import type { RunRequest } from '../../model/generator.ts';
import type { K6Binary } from './find.ts';

/** Files of one run. */
export interface RunFiles {
  /** Absolute path of the script. */
  readonly scenario: string;
  /** Absolute path of the summary that k6 writes. */
  readonly summary: string;
  /** Absolute path of the file that holds the reference body. */
  readonly reference: string;
  /** Absolute path of contract/. */
  readonly contractDir: string;
}

/** Arguments of `k6` for a run: everything that a scenario reads, by name, and nothing of the caller's environment. */
export function commandLine(binary: K6Binary, request: RunRequest, files: RunFiles): string[] {
  const variables: Record<string, string> = {
    BASE_URL: request.baseUrl,
    STACK: request.stack,
    EXECUTOR: request.load.executor,
    VUS: String(request.load.vus),
    DURATION: `${request.durationMs}ms`,
    CHECK: request.check,
    EXPECT_CACHE: request.expectedCache ?? 'any',
    SUMMARY: files.summary,
    REFERENCE: files.reference,
    CONTRACT_DIR: files.contractDir,
  };
  if (request.stopWhen !== undefined) {
    variables.STOP_AFTER = `${request.stopWhen.minDurationMs}ms`;
    variables.STOP_AFTER_REQUESTS = String(request.stopWhen.minRequests);
  }
  return [
    'run',
    '--quiet',
    '--no-color',
    '--no-usage-report',
    '--log-format=json',
    '--include-system-env-vars=false',
    ...(binary.knowsMachineReadableSummary ? ['--new-machine-readable-summary=false'] : []),
    ...Object.entries(variables).flatMap(([name, value]) => ['-e', `${name}=${value}`]),
    files.scenario,
  ];
}

/** What k6 needs of the environment to start; K6_*, proxies and settings of Go's runtime would change the run. */
const passedOn = ['PATH', 'HOME', 'TMPDIR', 'SYSTEMROOT'] as const;

/** k6's whole environment. `emptyDir` stands for the user's configuration folder, whose k6/config.json would change the run. */
export function environmentFor(emptyDir: string, own: NodeJS.ProcessEnv): Record<string, string> {
  const environment: Record<string, string> = {
    XDG_CONFIG_HOME: join(emptyDir, 'config'),
    K6_NO_USAGE_REPORT: 'true',
    // A scenario imports nothing but k6's own modules: no build of k6 with extensions may take its place.
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
  };
  for (const name of passedOn) {
    const value = own[name];
    if (value !== undefined) environment[name] = value;
  }
  return environment;
}
