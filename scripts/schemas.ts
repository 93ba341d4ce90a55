import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from '../lab/contract/root.ts';
import { schemaFiles } from '../lab/results/index.ts';

// Writes contract/*.schema.json from the types in lab/model; a test fails when they are stale.
for (const [file, text] of Object.entries(schemaFiles())) {
  await writeFile(join(repositoryRoot, 'contract', file), text);
  process.stdout.write(`contract/${file}\n`);
}
