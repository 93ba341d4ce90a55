import Docker from 'dockerode';
import { execa } from 'execa';
import type { TestContext } from 'vitest';
import { messageOf } from '../lab/model/errors.ts';

/** An engine that takes longer for a ping would make every test time out. */
const answerLimitMs = 5_000;

/**
 * null: a Docker engine answers and there is `docker compose`; else the reason why tests in containers cannot run.
 * The one engine that counts is where DOCKER_HOST points to, or behind the default socket: testcontainers goes on to the
 * default socket when nobody answers at DOCKER_HOST, and would make its containers in an engine that was not meant.
 */
export async function whyNoDocker(): Promise<string | null> {
  const endpoint = process.env.DOCKER_HOST ?? '';
  try {
    await new Docker({ timeout: answerLimitMs }).ping();
  } catch (error) {
    return `no Docker engine answers at ${endpoint === '' ? 'the default socket' : endpoint}: ${messageOf(error)}`;
  }
  const compose = await execa('docker', ['compose', 'version'], { reject: false, timeout: answerLimitMs });
  return compose.failed
    ? `\`docker compose version\` fails: ${(compose.shortMessage ?? 'no reason given').replaceAll('\n', ': ')}`
    : null;
}

/** Reports a test as skipped, or as failed where LOADLAB_REQUIRE_CONTAINERS=1, unless `reason` of whyNoDocker() is null. */
export function needDocker(context: TestContext, reason: string | null): void {
  if (reason === null) return;
  if (process.env.LOADLAB_REQUIRE_CONTAINERS === '1') throw new Error(`containers are required, and ${reason}`);
  context.skip(reason);
}
