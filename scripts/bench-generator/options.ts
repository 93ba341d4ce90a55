import { parseOptions, wholeOption } from '../benchmark-options.ts';

export interface Options {
  readonly rounds: number;
  /** Time of each generator in a round; k6's run is one second longer. */
  readonly seconds: number;
  readonly connections: number;
  /** Each generator that lives across runs is warmed up this long per body. */
  readonly warmUpSeconds: number;
  readonly help: boolean;
}

export const usage = `npm run bench:generator -- [--rounds 6] [--seconds 2] [--connections 20] [--warm-up 3]

Loads a null server, 20 bytes and 7.7 KB, with the builtin generator, autocannon,
and k6 and wrk where they are on PATH, in turn; 3 minutes as it is.
Exit code 1 when a claim about the builtin generator does not hold.
`;

const help = 'npm run bench:generator -- --help';
const most = { rounds: 100, seconds: 60, connections: 1000, 'warm-up': 60 } as const;

const defaults = { rounds: '6', seconds: '2', connections: '20', 'warm-up': '3' };

/** @throws LabError BAD_ARGUMENT */
export function readOptions(args: readonly string[]): Options {
  const { values, help: wantsHelp } = parseOptions(args, defaults, help);
  const whole = (name: keyof typeof most): number => wholeOption(name, values[name], most[name], help);
  return {
    rounds: whole('rounds'),
    seconds: whole('seconds'),
    connections: whole('connections'),
    warmUpSeconds: whole('warm-up'),
    help: wantsHelp,
  };
}
