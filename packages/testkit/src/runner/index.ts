export { type DescribeRunnerOptions, describeRunner, type RunnerCaseId } from './describe-runner.ts';
export type { RunnerStore, RunnerStoreFactory } from './runner-bench.ts';
