import { executionMatch } from './execution-match.ts';
import type { Metric } from './metric.ts';

/**
 * 1 where the result matches that of any gold statement by {@link executionMatch}: rows and columns in any order, row
 * order only where the question asks for it. Does not apply where no gold statement ran.
 */
export const executionMatchMetric: Metric = {
  id: 'execution-match',
  title: 'Execution match',
  score({ question: { orderMatters }, gold, result }) {
    if (gold.length === 0) return undefined;
    if (result === undefined) return 0;
    return gold.some((one) => executionMatch(one.result, result, { orderMatters }).match) ? 1 : 0;
  },
};
