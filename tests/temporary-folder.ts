import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/**
 * Vitest's global set-up: what tests make below the system's temporary folder is made in one that is removed after the last,
 * unless a test failed: its message may name a log in there.
 */
export function setup({ vitest }: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'loadlab-tests-'));
  // Servers of another user work in it.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => {
    if (vitest.state.getCountOfFailedTests() > 0) vitest.logger.log(`what the tests made is kept in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  };
}
