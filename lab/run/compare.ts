import { LabError } from '../model/errors.ts';
import { differenceLine, setComparison } from '../report/index.ts';
import { environmentDifferences } from '../statistics/index.ts';
import { review } from './review.ts';
import { wantsColour } from './write-report.ts';

/** In the refusal, the first only: they are the ones that say the most, and --force shows all. */
const mostNamed = 4;

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
    const named = decisive.slice(0, mostNamed).map(differenceLine);
    const more = decisive.length - named.length;
    throw new LabError(
      'BAD_ARGUMENT',
      `these sets do not compare: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
      'Measure again under the same conditions; --force shows all of it, and the figures.',
    );
  }
  return setComparison(before, after, differences, wantsColour());
}
