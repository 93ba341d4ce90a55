import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LabError } from '../model/errors.ts';

/** Absolute path of the clone: where contract/, studies/ and the stacks are, whether this runs from lab/ or from dist/lab/. */
export const repositoryRoot: string = findRoot(dirname(fileURLToPath(import.meta.url)));

/** Walks up from `start` to the folder whose package.json is loadlab's own. Throws a LabError (INTERNAL) at the top. */
export function findRoot(start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (packageName(folder) === 'loadlab') return folder;
    if (dirname(folder) === folder) {
      throw new LabError(
        'INTERNAL',
        `no package.json named "loadlab" in ${start} or above`,
        'Run loadlab from its clone: it needs contract/, studies/ and the stacks beside it.',
      );
    }
  }
}

function packageName(folder: string): unknown {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return typeof parsed === 'object' && parsed !== null && 'name' in parsed ? parsed.name : undefined;
}
