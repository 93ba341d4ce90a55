import { LabError } from '../../lab/model/errors.ts';
import { parseOptions, wholeOption } from '../benchmark-options.ts';

export interface Options {
  /** Two a generation: the servers are restarted after every second round. */
  readonly rounds: number;
  /** Time of each side in a round. */
  readonly seconds: number;
  /** Loads, in virtual users. */
  readonly vus: readonly number[];
  readonly help: boolean;
}

export const usage = `npm run bench:apis -- [--rounds 10] [--seconds 1] [--vus 20,100]

Loads /hello and /products of each API and of its minimal twin in turn, on one PostgreSQL of the lab's own.
Exit code 1 when an API has less than 0.9 of its twin's rate. --rounds is even; six or more give an interval.
`;

const help = 'npm run bench:apis -- --help';
const mostRounds = 50;
const mostSeconds = 60;
const mostVus = 1000;

const defaults = { rounds: '10', seconds: '1', vus: '20,100' };

/** @throws LabError BAD_ARGUMENT */
export function readOptions(args: readonly string[]): Options {
  const { values, help: wantsHelp } = parseOptions(args, defaults, help);
  const rounds = wholeOption('rounds', values.rounds, mostRounds, help);
  if (rounds % 2 !== 0) {
    const what = `--rounds is ${rounds}: an even number is needed, since each order has its reverse`;
    throw new LabError('BAD_ARGUMENT', what, help);
  }
  return {
    rounds,
    seconds: wholeOption('seconds', values.seconds, mostSeconds, help),
    vus: values.vus.split(',').map((text) => wholeOption('vus', text, mostVus, help)),
    help: wantsHelp,
  };
}
