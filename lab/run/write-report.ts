import { relative } from 'node:path';
import { terminalReport, writeMarkdownReport } from '../report/index.ts';
import type { ResultSet } from '../model/result.ts';

/** Writes report.md beside result.json. @throws LabError CANNOT_WRITE. */
export async function writeReport(folder: string, resultSet: ResultSet): Promise<void> {
  await writeMarkdownReport(folder, resultSet);
}

/** Whether standard output is a terminal and NO_COLOR is unset (https://no-color.org). */
export function wantsColour(): boolean {
  return process.stdout.isTTY && (process.env.NO_COLOR ?? '') === '';
}

/** Prints a set on standard output. */
export function showReport(folder: string, resultSet: ResultSet): void {
  const location = relative(process.cwd(), folder);
  process.stdout.write(
    terminalReport(resultSet, { colour: wantsColour(), location: location === '' ? '.' : location }),
  );
}
