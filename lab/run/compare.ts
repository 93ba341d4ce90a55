import { LabError } from '../model/errors.ts';
import { differenceLine, setComparison } from '../report/index.ts';
import { environmentDifferences } from '../statistics/index.ts';
import { review } from './review.ts';
import { wantsColour } from './write-report.ts';

/**
 * Two result sets side by side, as text for a terminal.
 * @throws LabError NO_RESULT_SET or BAD_RESULT_SET; BAD_ARGUMENT that names what differs where that makes a ratio meaningless,
 *   unless `force`
 */
export async function compareSets(first: string, second: string, force: boolean): Promise<string> {
  const [before, after] = [await review(first), await review(second)].map(({ resultSet }) => resultSet);
  if (before === undefined || after === undefined) throw new Error('two sets were read');
  const differences = environmentDifferences(before, after);
  const decisive = differences.filter(({ isDecisive }) => isDecisive);
  if (decisive.length > 0 && !force) {
    throw new LabError(
      'BAD_ARGUMENT',
      `these sets do not compare: ${decisive.map(differenceLine).join('; ')}`,
      'Measure again under the same conditions, or say --force to see the figures all the same.',
    );
  }
  return setComparison(before, after, differences, wantsColour());
}
