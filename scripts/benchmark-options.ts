import { parseArgs } from 'node:util';
import { LabError, messageOf } from '../lab/model/errors.ts';

/**
 * The values of a benchmark's command line, as text: what was given, else the defaults; and whether --help was.
 * @throws LabError BAD_ARGUMENT; its hint is `help`, the command that explains the options
 */
export function parseOptions<Name extends string>(
  args: readonly string[],
  defaults: Readonly<Record<Name, string>>,
  help: string,
): { readonly values: Readonly<Record<Name, string>>; readonly help: boolean } {
  const names = Object.keys(defaults) as Name[];
  const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' as const, default: defaults[name] }]));
  try {
    const options = { ...texts, help: { type: 'boolean' as const, default: false } };
    const given: Readonly<Record<string, string | boolean | undefined>> = parseArgs({
      args: [...args],
      options,
    }).values;
    const values = Object.fromEntries(names.map((name) => [name, String(given[name])])) as Record<Name, string>;
    return { values, help: given.help === true };
  } catch (error) {
    throw new LabError('BAD_ARGUMENT', messageOf(error), help);
  }
}

/**
 * The value of a benchmark's option `--name`: a whole number from 1 to `most`.
 * @throws LabError BAD_ARGUMENT; its hint is `help`, the command that explains the options
 */
export function wholeOption(name: string, text: string, most: number, help: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  throw new LabError('BAD_ARGUMENT', `--${name} is "${text}": a whole number from 1 to ${most} is needed`, help);
}
