import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Vitest's global set-up: what tests make below the system's temporary folder is made in one that is removed after the last. */
export function setup(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'loadlab-tests-'));
  // Servers of another user work in it.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}
