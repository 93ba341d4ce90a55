import { join } from 'node:path';
import { LabError, messageOf } from '../model/errors.ts';
import type { ResultSet } from '../model/result.ts';
import { writeWhole } from '../model/write-whole.ts';
import { markdownReport } from './markdown.ts';

/**
 * Writes report.md into a set's folder.
 * @returns its path.
 * @throws LabError CANNOT_WRITE.
 */
export async function writeMarkdownReport(folder: string, set: ResultSet): Promise<string> {
  const path = join(folder, 'report.md');
  try {
    await writeWhole(path, markdownReport(set));
  } catch (cause) {
    const hint = 'free some disk space or make the folder writable: the result set itself is safe';
    throw new LabError('CANNOT_WRITE', messageOf(cause), hint, { cause });
  }
  return path;
}
