import { afterAll, beforeAll, onTestFinished } from 'vitest';
import type { Bed, StackProcess, StackUnderTest, StartOptions } from './bed.ts';

/** A stack for one test: it listens when this returns, and ends with the test. */
export async function started(stack: StackUnderTest, options?: StartOptions): Promise<StackProcess> {
  const process = await stack.start(options);
  onTestFinished(() => process.kill());
  return process;
}

/** A stack that listens. */
export interface Runner {
  readonly id: string;
  readonly process: StackProcess;
  /** Its database of the bed's Redis: none serves what another stored. */
  readonly db: number;
}

/**
 * All stacks of the bed, running for the tests of one `describe`, each with a database of Redis for itself.
 * The list is filled before the first test.
 */
export function allRunning(bed: Bed): readonly Runner[] {
  const runners: Runner[] = [];
  beforeAll(async () => {
    for (const [index, stack] of bed.stacks.entries()) {
      const db = index + 1;
      const process = await stack.start({ redisUrl: `${bed.services.redis.url}/${db}` });
      runners.push({ id: stack.id, process, db });
    }
  });
  afterAll(async () => {
    await Promise.all(runners.map(({ process }) => process.kill()));
  });
  return runners;
}
