import type { Metric } from './metric.ts';

/** Test-suite accuracy over all contents of the database. */
export const testSuiteAccuracy: Metric = {
  id: 'test-suite',
  title: 'Test suite',
  score: () => undefined,
};
