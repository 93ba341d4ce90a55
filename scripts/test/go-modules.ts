import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Names of the top folders that hold a Go module: every stack that is written in Go. */
export function goModules(root: string): string[] {
  return readdirSync(root)
    .filter((name) => existsSync(join(root, name, 'go.mod')))
    .sort();
}
