import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Contract } from './schema.ts';

const fileName = 'contract.json';

/** A contract that cannot be kept: `problems` has one line for each thing that is wrong, with file and JSON path. */
export class BrokenContract extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'BrokenContract';
    this.problems = problems;
  }
}

/** A contract and, by file name, the text of its queries, character for character. */
export interface LoadedContract {
  readonly contract: Contract;
  readonly sql: ReadonlyMap<string, string>;
}

/**
 * Reads contract.json and the SQL files that it names from `folder`.
 * @throws {BrokenContract} where anything is missing or wrong
 */
export function readContract(folder: string): LoadedContract {
  const contract = parseContract(readText(join(folder, fileName), '$'));
  const sql = new Map<string, string>();
  const problems: string[] = [];
  contract.endpoints.forEach(({ query }, index) => {
    if (query === undefined) return;
    const path = `$.endpoints[${index}].query.file`;
    try {
      const text = readText(join(folder, query.file), path);
      if (text.trim() === '') problems.push(problem(path, `${query.file} is empty`));
      sql.set(query.file, text);
    } catch (error) {
      if (!(error instanceof BrokenContract)) throw error;
      problems.push(...error.problems);
    }
  });
  if (problems.length > 0) throw new BrokenContract(problems);
  return { contract, sql };
}

/**
 * Checks the text of a contract.json.
 * @throws {BrokenContract} with the JSON path of everything that is wrong
 */
export function parseContract(text: string): Contract {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    throw new BrokenContract([problem('$', `not valid JSON: ${messageOf(error)}`)]);
  }
  const result = Contract.safeParse(data);
  if (result.success) return result.data;
  throw new BrokenContract(result.error.issues.map((issue) => problem(jsonPath(issue.path), issue.message)));
}

/** `['endpoints', 1, 'path']` is `$.endpoints[1].path`. */
function jsonPath(path: readonly PropertyKey[]): string {
  return `$${path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')}`;
}

function readText(file: string, path: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new BrokenContract([problem(path, messageOf(error))]);
  }
}

function problem(path: string, what: string): string {
  return `${fileName}: ${path}: ${what}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
