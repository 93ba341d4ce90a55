#!/usr/bin/env node
// The command. It runs what `npm run build` compiled, and says so when that is not there.
import { existsSync } from 'node:fs';

const entry = new URL('../../dist/lab/cli.js', import.meta.url);
if (!existsSync(entry)) {
  console.error('loadlab: not built yet: run `make setup` (or `npm ci && npm run build`) in the clone first');
  process.exit(3);
}
await import(entry.href);
