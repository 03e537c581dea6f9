export { dbosRunner } from './runner/dbos-runner.ts';
export type { DbosRunnerOptions } from './runner/dbos-runner-options.ts';
