import { afterAll, beforeAll, describe } from 'vitest';
import type { Bed } from './bed.ts';
import { alteredByteTests } from './bodies/altered-byte.ts';
import { busyTests } from './bodies/busy.ts';
import { cacheTests } from './bodies/cache.ts';
import { configurationTests } from './bodies/configuration.ts';
import { databaseServerTests } from './bodies/database-server.ts';
import { databaseTests } from './bodies/database.ts';
import { fuzzTests } from './bodies/fuzz.ts';
import { healthTests } from './bodies/health.ts';
import { keepAliveTests } from './bodies/keep-alive.ts';
import { parityTests } from './bodies/parity.ts';
import { redisFaultTests } from './bodies/redis-faults.ts';
import { refusalTests } from './bodies/refusals.ts';
import { shutdownTests } from './bodies/shutdown.ts';
import { terminationTests } from './bodies/termination.ts';
import { allRunning } from './running.ts';

/** Bodies that ask all stacks the same and compare them. */
const together = [parityTests, refusalTests, fuzzTests, alteredByteTests];

/** Bodies that break what one stack works with. */
const oneByOne = [
  cacheTests,
  redisFaultTests,
  databaseTests,
  databaseServerTests,
  busyTests,
  terminationTests,
  shutdownTests,
  configurationTests,
  healthTests,
  keepAliveTests,
];

/** Every test of what docs/api.md promises, for every stack, in the place that `bed` is. */
export function describeStacks(bed: Bed): void {
  describe(`stacks, ${bed.name}`, () => {
    beforeAll(async () => {
      await bed.up();
    });
    afterAll(async () => {
      await bed.down();
    });
    describe('all alike', () => {
      const runners = allRunning(bed);
      for (const tests of together) tests(bed, runners);
    });
    describe.each(bed.stacks)('$id', (stack) => {
      for (const tests of oneByOne) tests(bed, stack);
    });
  });
}
