import { isRowReference, type RequirementTestResult } from '../model/requirement-test.ts';
import type { PlacedTest, PlacedTests } from './placed-test.ts';
import type { RowStore } from './row-store.ts';

/**
 * Runs each test on an emptied store. A test with gaps does not run. A refusal passes only where all rows before the
 * last one were accepted, and the last one was refused for something that the test states.
 */
export async function runRequirementTests(
  { tests }: PlacedTests,
  store: RowStore,
): Promise<readonly RequirementTestResult[]> {
  const results: RequirementTestResult[] = [];
  for (const test of tests) results.push(await runTest(test, store));
  return results;
}

async function runTest({ test, gaps, rows }: PlacedTest, store: RowStore): Promise<RequirementTestResult> {
  const { number, kind } = test;
  const failed = (actual: string): RequirementTestResult => ({ number, status: 'failed', gaps: [], actual });
  if (gaps.length > 0) return { number, status: 'no place', gaps, actual: '' };
  if (rows.length === 0) return failed('The test states no row.');
  await store.reset();
  for (const [at, placed] of rows.entries()) {
    const isRefusable = kind === 'refusal' && at === rows.length - 1;
    const shown = shownRow(placed.row);
    // Not every database holds a column to its type.
    const [misfit] = placed.misfits;
    if (misfit !== undefined && !isRefusable) return failed(`${shown} cannot be kept: ${misfit}`);
    for (const step of placed.steps) {
      const refused = await runStep(step, store);
      if (refused === undefined) continue;
      if (!isRefusable) return failed(`${shown} was refused: ${refused}`);
      if (misfit !== undefined) return failed(`${shown} was refused, but not for what it states: ${misfit} ${refused}`);
      if (step.kind !== 'no room' && step.isMade)
        return failed(`${shown} was refused, but for a row that the design alone asks for: ${refused}`);
      return { number, status: 'passed', gaps: [], actual: '' };
    }
    if (isRefusable) return failed(`${shown} was accepted.`);
  }
  return { number, status: 'passed', gaps: [], actual: '' };
}

function runStep(step: PlacedTest['rows'][number]['steps'][number], store: RowStore): Promise<string | undefined> {
  switch (step.kind) {
    case 'insert':
      return store.insert(step.relation, step.values);
    case 'update':
      return store.update(step.relation, step.key, step.values);
    case 'no room':
      return Promise.resolve(step.reason);
  }
}

/** A row as its test states it: `Loan "l1" (reader: ann, lent on: "2026-03-01")`. */
function shownRow({ thing, label, facts }: PlacedTest['rows'][number]['row']): string {
  const shown = facts.map(({ fact, value }) =>
    isRowReference(value) ? `${fact}: ${value.row}` : `${fact}: ${JSON.stringify(value)}`,
  );
  return `${thing} ${JSON.stringify(label)}${shown.length === 0 ? '' : ` (${shown.join(', ')})`}`;
}
