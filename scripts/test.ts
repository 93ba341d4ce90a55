/**
 * `make test`: formatters, linters, types, then every test with a real PostgreSQL, Redis and both APIs. Says at the end how many
 * tests ran, and which were skipped and why. `--static` stops before the tests.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../lab/contract/root.ts';
import { LabError, messageOf } from '../lab/model/errors.ts';
import { withServices } from './test/services.ts';
import { staticSteps } from './test/static-checks.ts';
import { add, nothing, printSummary, type Tally } from './test/tally.ts';
import { goTests, vitestTests } from './test/runners.ts';

const onlyStatic = process.argv.includes('--static');
const folder = mkdtempSync(join(tmpdir(), 'loadlab-test-'));

async function main(): Promise<Tally> {
  let tally = nothing;
  for (const step of staticSteps(repositoryRoot)) tally = add(tally, await step(repositoryRoot));
  if (onlyStatic) return tally;
  return withServices(folder, async (services) => {
    const go = await goTests(repositoryRoot, services);
    return add(add(tally, go), await vitestTests(repositoryRoot, services, folder));
  });
}

try {
  const tally = await main();
  printSummary(tally);
  process.exitCode = tally.failed === 0 ? 0 : 1;
} catch (error) {
  const hint = error instanceof LabError ? ` (${error.hint})` : '';
  process.stderr.write(`loadlab test: ${messageOf(error)}${hint}\n`);
  process.exitCode = error instanceof LabError ? error.exitCode : 70;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
