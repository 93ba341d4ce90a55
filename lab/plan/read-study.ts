import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { LabError, messageOf } from '../model/errors.ts';
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
export function readStudy(root: string, id: string): Study {
  const ids = studyIds(root);
  if (!ids.includes(id)) {
    throw new LabError('BAD_STUDY', `there is no study "${id}"`, `choose one of: ${ids.join(', ')}`);
  }
  const name = `studies/${id}/study.json`;
  const study = parse(name, readFileSync(join(root, name), 'utf8'));
  if (study.id !== id) {
    throw new LabError('BAD_STUDY', `${name}: $.id: is "${study.id}"`, `it must be the folder's name, "${id}"`);
  }
  return study;
}

function parse(name: string, text: string): Study {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new LabError('BAD_STUDY', `${name}: not JSON: ${messageOf(error)}`, 'mend the file', { cause: error });
  }
  const checked = Study.safeParse(data);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  throw new LabError(
    'BAD_STUDY',
    `${name}: $${issue === undefined ? '' : jsonPath(issue)}: ${issue?.message ?? 'not a study'}`,
    'mend the file; contract/study.schema.json has its shape',
  );
}

function jsonPath(issue: z.core.$ZodIssue): string {
  return issue.path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('');
}
