import { readFile } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { LabError, messageOf } from '../model/errors.ts';
import { BuiltinRaw } from '../model/histogram.ts';
import { describeIssues } from './issues.ts';

/**
 * Reads one raw file of the built-in generator.
 * @param folder the set's folder.
 * @param raw `Measurement.raw`: a path relative to it.
 * @throws LabError BAD_RESULT_SET naming the file and the JSON path.
 */
export async function readBuiltinRaw(folder: string, raw: string): Promise<BuiltinRaw> {
  const path = resolve(folder, raw);
  // A set may come from anywhere: its paths lead nowhere but into its own folder.
  if (relative(folder, path).startsWith('..')) {
    throw new LabError('BAD_RESULT_SET', `raw file ${raw} lies outside ${folder}`, 'the set was tampered with');
  }
  const result = BuiltinRaw.safeParse(await readJson(path));
  if (result.success) return result.data;
  throw new LabError('BAD_RESULT_SET', `${path}: ${describeIssues(result.error)}`, 'restore the file');
}

/**
 * Reads the raw files of many runs of the built-in generator, in the order given.
 * @throws LabError BAD_RESULT_SET as readBuiltinRaw.
 */
export async function readBuiltinRaws(folder: string, raws: readonly string[]): Promise<BuiltinRaw[]> {
  const read: BuiltinRaw[] = [];
  // One after another: a set has hundreds of files, and nobody waits for them.
  for (const raw of raws) read.push(await readBuiltinRaw(folder, raw));
  return read;
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    throw new LabError('BAD_RESULT_SET', `${path}: ${messageOf(error)}`, 'restore the file from the set');
  }
}
