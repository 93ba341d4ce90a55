import { kept, notEvaluated, tripped, type Rule } from '../rule.ts';

/**
 * Percentiles come from the rounds' merged histograms: with one missing they would be of fewer rounds than the cell's other figures,
 * so there are none. An absent figure needs a reason, not a worse verdict; the rate does not rest on raw files.
 */
export const rawFile: Rule = {
  name: 'raw-file',
  scope: 'latency',
  effects: ['note'],
  looksAt: "raw files with the rounds' latency histograms",
  limit: () => 'every raw file of a measured round can be read',
  advice: 'latency is n/a for this cell: look at the disk, then run again',
  evaluate({ records, unreadableRaws }) {
    const raws = records.flatMap(({ measurement }) => measurement?.raw ?? []);
    if (raws.length === 0) return notEvaluated('no round was measured');
    const broken = raws.filter((raw) => unreadableRaws.includes(raw));
    const [first] = broken;
    if (first === undefined) return kept;
    return tripped('note', `${broken.length} of ${raws.length} are missing or damaged: ${first}`);
  },
};
