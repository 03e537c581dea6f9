export { compareRuns } from './compare-runs.ts';
export { readRun, type StoredRun } from './read-run.ts';
export type * from './run-comparison.ts';
