import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJsonFile, refuseIfAny, type JsonFile } from '../contract/json-file.ts';
import { LabError } from '../model/errors.ts';
import { Study } from '../model/study.ts';

/** Ids of the studies under studies/, in alphabetical order. */
export function studyIds(root: string): string[] {
  const folder = join(root, 'studies');
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'study.json')))
    .map((entry) => entry.name)
    .sort();
}

/**
 * Reads studies/<id>/study.json.
 * @throws LabError BAD_STUDY, naming file and JSON path.
 */
export async function readStudy(root: string, id: string): Promise<Study> {
  const ids = studyIds(root);
  if (!ids.includes(id)) {
    throw new LabError('BAD_STUDY', `there is no study "${id}"`, `choose one of: ${ids.join(', ')}`);
  }
  const label = `studies/${id}/study.json`;
  const file: JsonFile = { path: join(root, label), label, code: 'BAD_STUDY' };
  const study = await readJsonFile(file, Study);
  refuseIfAny(
    file,
    study.id === id ? [] : [{ path: ['id'], message: `is "${study.id}", not the folder's name "${id}"` }],
  );
  return study;
}
