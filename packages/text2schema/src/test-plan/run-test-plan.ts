import { type Adapter, isAskemaError, throwIfAborted } from '@askema/core';
import { writeDdl } from '@askema/dialects';
import type { CaseResult, TestRun } from '../model/test-run.ts';
import { compileGround } from './compile-ground.ts';
import { unenforcedConstraints } from './probe-enforcement.ts';
import type { RunTestPlanOptions } from './run-options.ts';
import { baseOf, runSet } from './run-set.ts';
import { openScratch, runDdl, type ScratchLimits, ScratchRows } from './scratch-database.ts';

const DEFAULT_TIMEOUT_MS = 10_000;

/** What says that a schema is wrong, and not the database. */
const SCHEMA_ERRORS: ReadonlySet<string> = new Set([
  'QUERY_FAILED',
  'QUERY_REFUSED',
  'SCHEMA_INVALID',
  'INPUT_INVALID',
]);

/**
 * Runs the cases of a plan on a scratch database that has the schema of the design, and compares what happens with what was expected.
 *
 * - Each set begins with empty tables. Given rows have a result (`case: 0`) only where they could not be written; then the rest of the set
 *   is `not run`. The same holds behind an accepted change that failed.
 * - A case that cannot be written in SQL is `not compiled`, never passed. A schema that the database does not take makes every case `not run`.
 * - A refusal that the database does not enforce is `not run`: this is tried on two tables first, not believed.
 * - What a refused or wrongly accepted case wrote is taken back before the next one.
 *
 * @throws AskemaError `CONFIG_INVALID` for a scratch database that is not empty or was opened for reading, `ABORTED`, or a
 * `DATABASE_*` code. The database is closed in every case.
 */
export async function runTestPlan(options: RunTestPlanOptions): Promise<TestRun> {
  const started = performance.now();
  const signals = [options.signal, options.context.signal].filter((signal) => signal !== undefined);
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  throwIfAborted(signal, 'The test run');
  const limits: ScratchLimits = {
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    context: { ...options.context, signal },
  };
  const adapter = await openScratch(options.scratch, limits);
  try {
    const results = await runSets(adapter, options, limits);
    return {
      dialect: adapter.dialect.name,
      results,
      counts: countsOf(results),
      elapsedMs: performance.now() - started,
    };
  } finally {
    await adapter.close();
  }
}

async function runSets(adapter: Adapter, options: RunTestPlanOptions, limits: ScratchLimits): Promise<CaseResult[]> {
  const { plan, design, report, conceptual } = options;
  const loose = await unenforcedConstraints(adapter, limits);
  try {
    await runDdl(adapter, writeDdl(design.schema, adapter.dialect), limits);
  } catch (thrown) {
    if (!isAskemaError(thrown) || !SCHEMA_ERRORS.has(thrown.code)) throw thrown;
    return nothingRun(options, `The schema could not be created: ${thrown.message}`);
  }
  const ground = compileGround(design, adapter.dialect, { report, conceptual });
  const rows = new ScratchRows(adapter, ground, limits);
  const results: CaseResult[] = [];
  for (const [at, set] of plan.sets.entries()) results.push(...(await runSet(ground, rows, set, at + 1, loose)));
  return results;
}

function nothingRun({ plan }: RunTestPlanOptions, actual: string): CaseResult[] {
  return plan.sets.flatMap(({ cases }, set) =>
    cases.map(
      (testCase, at): CaseResult => ({
        ...baseOf(testCase, set + 1, at + 1),
        status: 'not run',
        sql: [],
        actual,
        role: 'logical-designer',
      }),
    ),
  );
}

function countsOf(results: readonly CaseResult[]): TestRun['counts'] {
  const count = (status: CaseResult['status']): number => results.filter((result) => result.status === status).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    notCompiled: count('not compiled'),
    notRun: count('not run'),
  };
}
