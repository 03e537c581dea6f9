import { AskemaError } from '@askema/core';
import type { TestRun } from '../model/test-run.ts';
import type { RunTestPlanOptions } from './run-options.ts';

/**
 * Runs the cases of a plan on a scratch database that has the schema of the design, and compares what happens with what was expected.
 * A case that cannot be written in SQL is reported, never passed.
 *
 * @throws AskemaError `CONFIG_INVALID` for a scratch database that is not empty or was opened for reading, `SCHEMA_INVALID` for a design
 * without DDL, `ABORTED`, or a `DATABASE_*` code.
 */
export async function runTestPlan(_options: RunTestPlanOptions): Promise<TestRun> {
  throw new AskemaError('CAPABILITY_UNSUPPORTED', 'Tests cannot be run yet.');
}
