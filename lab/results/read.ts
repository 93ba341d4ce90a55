import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { z } from 'zod';
import { LabError, messageOf } from '../model/errors.ts';
import type { SliceRecord, WarmUpRecord } from '../model/measurement.ts';
import { ResultHeader, ResultSet } from '../model/result.ts';
import { findResultFolder } from './find.ts';
import { describeIssues } from './issues.ts';
import { readRecords } from './read-records.ts';
import { files } from './store.ts';

/**
 * A set as it lies on the disk. `unfinished`: header and runs are there, result.json is not, because the lab was
 * killed or is still at work. Whoever summarises it must not write into its folder.
 */
export type StoredSet =
  | { readonly kind: 'finished'; readonly folder: string; readonly resultSet: ResultSet }
  | {
      readonly kind: 'unfinished';
      readonly folder: string;
      readonly header: ResultHeader;
      readonly slices: readonly SliceRecord[];
      readonly warmUps: readonly WarmUpRecord[];
      /** One line about a last line that was cut off when the lab was killed; null when there is none. */
      readonly tornLine: string | null;
    };

/**
 * Reads and validates a set: a folder, a result.json, an id, or (undefined) the latest one made here.
 * @throws LabError NO_RESULT_SET, or BAD_RESULT_SET naming the file and the JSON path.
 */
export async function readResultSet(resultsDir: string, pathOrId?: string): Promise<StoredSet> {
  const folder = await findResultFolder(resultsDir, pathOrId);
  const result = await readTextIfThere(join(folder, files.result));
  if (result !== null) {
    return { kind: 'finished', folder, resultSet: parse(ResultSet, result, join(folder, files.result)) };
  }
  const headerPath = join(folder, files.header);
  const header = parse(ResultHeader, (await readTextIfThere(headerPath)) ?? '', headerPath);
  const recordsPath = join(folder, files.slices);
  const records = readRecords((await readTextIfThere(recordsPath)) ?? '', recordsPath);
  return { kind: 'unfinished', folder, header, ...records };
}

function parse<T>(schema: z.ZodType<T>, text: string, path: string): T {
  const value = parseJson(text, path);
  refuseOtherVersion(value, path);
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new LabError(
    'BAD_RESULT_SET',
    `${path}: ${describeIssues(result.error)}`,
    'the file was changed by hand or made by another loadlab: make the set again, or restore the file',
  );
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LabError('BAD_RESULT_SET', `${path}: $: ${messageOf(error)}`, 'the file is not whole: restore it');
  }
}

/** Said before anything else: a newer shape fails in a hundred places, and only this one explains them. */
function refuseOtherVersion(value: unknown, path: string): void {
  const known = ResultHeader.shape.schemaVersion.value;
  const version = typeof value === 'object' && value !== null && 'schemaVersion' in value ? value.schemaVersion : null;
  if (version === known || version === null) return;
  throw new LabError(
    'BAD_RESULT_SET',
    `${path}: $.schemaVersion: ${JSON.stringify(version)} is not known, this loadlab reads version ${known}`,
    'read it with the loadlab that made it (provenance.loadlabVersion), or make the set again',
  );
}

async function readTextIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new LabError('BAD_RESULT_SET', `cannot read ${path}: ${messageOf(error)}`, 'make the file readable');
  }
}
