import type { z } from 'zod';
import { jsonPath } from '../contract/json-file.ts';

/** How many issues one message names: the first ones tell, the rest usually follow from them. */
const maxIssues = 3;

/** zod's issues on one line, each with its JSON path: `$.summaries[3].cell.load.vus: expected int`. */
export function describeIssues(error: z.ZodError): string {
  const lines = error.issues.slice(0, maxIssues).map((issue) => `${jsonPath(issue.path)}: ${issue.message}`);
  const more = error.issues.length - lines.length;
  return more > 0 ? `${lines.join('; ')}; and ${more} more` : lines.join('; ');
}
