import { Command } from 'commander';

/** `loadlab compare`: two saved sets side by side, with what differs in how they were made. */
export function compareCommand(): Command {
  return new Command('compare')
    .description('Two result sets side by side: first what differs in how they were made, then each cell’s throughput.')
    .argument('<first>', 'a folder, a result.json or an id')
    .argument('<second>', 'another one')
    .option('--force', 'also where a difference makes the comparison meaningless')
    .action(async (first: string, second: string, { force }: { force?: boolean }) => {
      const { compareSets } = await import('../run.ts');
      process.stdout.write(await compareSets(first, second, force === true));
    });
}
