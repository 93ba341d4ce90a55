import { ok, type Answer } from '../http/answer.ts';

/** A fixed answer: HTTP alone. The JSON is made each time, as one would. */
export function hello(): Answer {
  return ok(JSON.stringify({ message: 'Hello!' }));
}
