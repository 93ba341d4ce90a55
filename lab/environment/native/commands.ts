import { resolve } from 'node:path';

/** A stack's command: a program with a slash is meant relative to the stack's folder, any other is found on PATH. */
export function resolveCommand(folder: string, command: readonly string[]): [string, ...string[]] {
  const [program = '', ...args] = command;
  return [program.includes('/') ? resolve(folder, program) : program, ...args];
}
