import { LabError } from '../lab/model/errors.ts';

/**
 * The value of a benchmark's option `--name`: a whole number from 1 to `most`.
 * @throws LabError BAD_ARGUMENT; its hint is `help`, the command that explains the options
 */
export function wholeOption(name: string, text: string, most: number, help: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= most) return value;
  throw new LabError('BAD_ARGUMENT', `--${name} is "${text}": a whole number from 1 to ${most} is needed`, help);
}
