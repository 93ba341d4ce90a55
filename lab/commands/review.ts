import { Command } from 'commander';

/** `loadlab review`: shows a saved result set again. */
export function reviewCommand(): Command {
  return new Command('review')
    .description('Show a result set again: a folder, a result.json or an id; the latest one by default.')
    .argument('[set]', 'e.g. results/published/builtin')
    .action(async (set: string | undefined) => {
      const { review, showReport } = await import('../run.ts');
      const { folder, resultSet } = await review(set);
      showReport(folder, resultSet);
    });
}
