import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { LabError, messageOf, type ErrorCode } from '../model/errors.ts';

/** A JSON file, and how messages name it: `label` is what the user would type, e.g. `contract/contract.json`. */
export interface JsonFile {
  readonly path: string;
  readonly label: string;
  /** The code of every error about this file. */
  readonly code: ErrorCode;
}

/** One thing that is wrong in a file, at a place in it. */
export interface Problem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/**
 * Reads, parses and validates a JSON file. Throws a LabError with the file's code: unreadable, not JSON, or one line per
 * problem, each with file and JSON path (`contract/contract.json: $.endpoints[1].path: …`).
 */
export async function readJsonFile<T>(file: JsonFile, schema: z.ZodType<T>): Promise<T> {
  let text: string;
  try {
    text = await readFile(file.path, 'utf8');
  } catch (error) {
    throw new LabError(
      file.code,
      `${file.label}: cannot be read: ${messageOf(error)}`,
      'Check the path and its rights.',
      {
        cause: error,
      },
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new LabError(file.code, `${file.label}: not JSON: ${messageOf(error)}`, 'Correct the syntax.', {
      cause: error,
    });
  }
  const result = schema.safeParse(json);
  if (!result.success) refuse(file, result.error.issues);
  return result.data;
}

/** Throws the LabError that lists `problems`, unless there are none. */
export function refuseIfAny(file: JsonFile, problems: readonly Problem[]): void {
  if (problems.length > 0) refuse(file, problems);
}

function refuse(file: JsonFile, problems: readonly Problem[]): never {
  const lines = problems.map((problem) => `${file.label}: ${jsonPath(problem.path)}: ${problem.message}`);
  throw new LabError(file.code, lines.join('\n'), `Correct ${file.label}.`);
}

/** `['endpoints', 1, 'path']` as `$.endpoints[1].path`. */
export function jsonPath(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`;
    const name = String(step);
    return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  return `$${steps.join('')}`;
}
