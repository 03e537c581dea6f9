import type { CaseResult, MutationCheck, RequirementTest, RequirementTestResult, TestReport } from '../model/index.ts';

const STATUS = { passed: 'passed', failed: 'failed', 'no place': 'not compiled' } as const;

/** What code says of a run of requirement tests, in the form that every test report has. */
export function testReportOf(
  tests: readonly RequirementTest[],
  results: readonly RequirementTestResult[],
  {
    elapsedMs,
    dialect,
    mutation,
  }: {
    readonly elapsedMs: number;
    /** Of the database; `memory` without one. */
    readonly dialect: string;
    readonly mutation: MutationCheck | undefined;
  },
): TestReport {
  const byNumber = new Map(tests.map((test) => [test.number, test]));
  const cases = results.flatMap((result) => {
    const test = byNumber.get(result.number);
    return test === undefined ? [] : [caseOf(test, result)];
  });
  const count = (status: CaseResult['status']) => cases.filter((one) => one.status === status).length;
  const counts = {
    passed: count('passed'),
    failed: count('failed'),
    notCompiled: count('not compiled'),
    notRun: 0,
  };
  const open = cases.filter(({ status }) => status !== 'passed');
  const text = [
    `${counts.passed} of ${cases.length} tests passed.`,
    ...open.map(({ set, purpose, actual }) => `- Test ${set}: ${purpose} ${actual}`),
    ...(mutation === undefined || mutation.planted === 0
      ? []
      : [`Of ${mutation.planted} mistakes that were planted into the design, the tests noticed ${mutation.noticed}.`]),
  ].join('\n');
  const run = { dialect, results: cases, counts, elapsedMs };
  return { accepted: open.length === 0, errors: [], text, run };
}

function caseOf({ number, kind, says }: RequirementTest, { status, gaps, actual }: RequirementTestResult): CaseResult {
  const missing = gaps.map(({ thing, fact }) => (fact === null ? thing : `${fact} of ${thing}`)).join(', ');
  return {
    set: number,
    case: 1,
    operation: 'insert',
    purpose: says,
    status: STATUS[status],
    sql: [],
    expected: kind === 'refusal' ? 'The last row is refused.' : 'All rows are accepted.',
    actual: status === 'no place' ? `There is no place for ${missing}.` : actual,
    role: status === 'passed' ? undefined : 'logical-designer',
  };
}
