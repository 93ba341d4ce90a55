import { ok, type Answer } from '../http/answer.ts';

const greeting = ok(JSON.stringify({ message: 'Hello!' }));

/** A fixed answer: HTTP alone. */
export function hello(): Answer {
  return greeting;
}
