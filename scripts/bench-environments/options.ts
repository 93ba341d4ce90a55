import { LabError } from '../../lab/model/errors.ts';
import { parseOptions, wholeOption } from '../benchmark-options.ts';

export interface Options {
  /** Two a generation: the APIs are restarted after every second round. */
  readonly rounds: number;
  /** Time of each side in a round. */
  readonly seconds: number;
  /** Loads, in virtual users. */
  readonly vus: readonly number[];
  readonly help: boolean;
}

export const usage = `npm run bench:environments -- [--rounds 6] [--seconds 1] [--vus 20,100]

Loads both APIs as processes and as containers in turn, every endpoint of the contract, with the built-in generator beside
the servers (for containers: in one, on their network). Wants a Docker engine. --rounds is even; six or more give an interval.
`;

const help = 'npm run bench:environments -- --help';

/** @throws LabError BAD_ARGUMENT */
export function readOptions(args: readonly string[]): Options {
  const { values, help: wantsHelp } = parseOptions(args, { rounds: '6', seconds: '1', vus: '20,100' }, help);
  const rounds = wholeOption('rounds', values.rounds, 50, help);
  if (rounds % 2 !== 0) {
    throw new LabError('BAD_ARGUMENT', `--rounds is ${rounds}: an even number is needed, two a generation`, help);
  }
  return {
    rounds,
    seconds: wholeOption('seconds', values.seconds, 60, help),
    vus: values.vus.split(',').map((text) => wholeOption('vus', text, 1000, help)),
    help: wantsHelp,
  };
}
