import { join } from 'node:path';
import { contractSha256, readContract, readThresholds } from '../contract/read.ts';
import { repositoryRoot } from '../contract/root.ts';
import type { ResultSet } from '../model/result.ts';
import { readBuiltinRaws, readResultSet } from '../results/index.ts';
import { analyse, type Measured } from './analyse.ts';

/** What analyse() takes from a set's folder and the clock. */
export function measuredIn(folder: string): Pick<Measured, 'finishedAt' | 'readRaws'> {
  return { finishedAt: new Date(), readRaws: (raws) => readBuiltinRaws(folder, raws) };
}

/**
 * Reads a result set again; one whose lab was killed is summarised now, as partial.
 * @throws LabError NO_RESULT_SET or BAD_RESULT_SET.
 */
export async function review(pathOrId: string | undefined): Promise<{ folder: string; resultSet: ResultSet }> {
  const stored = await readResultSet(join(repositoryRoot, 'results'), pathOrId);
  if (stored.kind === 'finished') return stored;
  const contractDir = join(repositoryRoot, 'contract');
  const changed = (await contractSha256(contractDir)) !== stored.header.provenance.contractSha256;
  const resultSet = await analyse({
    ...measuredIn(stored.folder),
    header: stored.header,
    contract: await readContract(contractDir),
    thresholds: await readThresholds(contractDir),
    slices: stored.slices,
    warmUps: stored.warmUps,
    endedEarly: [
      'the lab ended without finishing the set, or is still at work',
      ...(stored.tornLine === null ? [] : [stored.tornLine]),
      ...(changed ? ['the contract has changed since: verdicts are by the present one'] : []),
    ].join('; '),
  });
  return { folder: stored.folder, resultSet };
}
