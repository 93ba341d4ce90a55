import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { goModules } from './go-modules.ts';

test('every folder with a go.mod is found, and nothing below or beside', async () => {
  const root = await mkdtemp(join(tmpdir(), 'loadlab-modules-'));
  try {
    for (const folder of ['third-api', 'go-api', 'node-api/inner'])
      await mkdir(join(root, folder), { recursive: true });
    for (const folder of ['third-api', 'go-api', 'node-api/inner']) await writeFile(join(root, folder, 'go.mod'), '');
    await writeFile(join(root, 'README.md'), '');
    expect(goModules(root)).toEqual(['go-api', 'third-api']);
  } finally {
    await rm(root, { recursive: true });
  }
});
