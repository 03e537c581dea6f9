import { AskemaError, didYouMean, nearestNames } from '@askema/core';
import { birdEx } from './bird-ex.ts';
import { birdSoftF1 } from './bird-soft-f1.ts';
import { executionMatchMetric } from './execution-match-metric.ts';
import type { Metric } from './metric.ts';
import { spiderExactMatch } from './spider-exact-match.ts';
import { spider2Metric, spider2StrictMetric } from './spider2-metric.ts';
import { testSuiteAccuracy } from './test-suite-accuracy.ts';
import { validSql } from './valid-sql.ts';

/** All metrics that are here. Your own is a value beside them: pass it where metrics are asked for. */
export const METRICS: readonly Metric[] = [
  executionMatchMetric,
  spider2Metric,
  spider2StrictMetric,
  birdEx,
  birdSoftF1,
  spiderExactMatch,
  testSuiteAccuracy,
  validSql,
];

/**
 * The metric of an id.
 *
 * @throws AskemaError `INPUT_INVALID`, with the nearest ids, when there is none.
 */
export function findMetric(id: string): Metric {
  const found = METRICS.find((metric) => metric.id === id);
  if (found !== undefined) return found;
  const ids = METRICS.map((metric) => metric.id);
  throw new AskemaError(
    'INPUT_INVALID',
    [`There is no metric \`${id}\`.`, didYouMean(id, ids), `There are: ${ids.join(', ')}.`].filter(Boolean).join(' '),
    { details: { nearestNames: nearestNames(id, ids) } },
  );
}
