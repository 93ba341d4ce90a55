import { InvalidArgumentError } from 'commander';
import ms, { type StringValue } from 'ms';

/** The study that the lab was made for. */
export const defaultStudy = 'go-vs-node';

/** `500ms`, `10s`, `2m` -> milliseconds; commander prints what is wrong with the option's name. */
export function duration(text: string): number {
  // ms takes a bare number for milliseconds, which somebody who thinks in seconds would not expect.
  const value = /^\d+(\.\d+)?(ms|s|m|h)$/.test(text) ? ms(text as StringValue) : NaN;
  if (!(value > 0)) throw new InvalidArgumentError('Give a number with a unit: 500ms, 10s, 2m.');
  return value;
}

/** A whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isInteger(value) || value < min || value > max) {
      throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
    }
    return value;
  };
}

/** `a,b,c` -> a list without blanks. */
export function list(text: string): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.some((item) => item === ''))
    throw new InvalidArgumentError('Give names separated by commas, without blanks.');
  return items;
}

/** `20,100` -> a list of whole numbers. */
export function wholeNumbers(min: number, max: number): (text: string) => number[] {
  const one = wholeNumber(min, max);
  return (text) => list(text).map((item) => one(item));
}
