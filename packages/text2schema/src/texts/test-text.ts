import type { CaseResult, TestCase, TestCell, TestPlan, TestRow, TestRun } from '../model/index.ts';

/** A test plan: its sets, the rows before them, and a line for each case. */
export function testPlanText({ sets }: TestPlan): string {
  return sets
    .map(({ title, given, cases }, at) =>
      [
        `Set ${at + 1}: ${title}`,
        ...given.map((row) => `  given ${rowText(row)}`),
        ...cases.map((testCase, number) => `  ${at + 1}.${number + 1} ${testCaseText(testCase)}`),
      ].join('\n'),
    )
    .join('\n');
}

/** A case in one line. */
function testCaseText({ operation, purpose, target, values, where, expected }: TestCase): string {
  const asked = operation === 'query' ? values.map(({ attribute }) => attribute).join(', ') : cellsText(values);
  const condition = where.length === 0 ? '' : ` where ${cellsText(where)}`;
  return `${operation} ${target}${asked === '' ? '' : ` (${asked})`}${condition} — ${purpose} Expected: ${expectationText(expected)}`;
}

/** Shown of an outcome: databases quote whole rows. */
const MAX_OUTCOME_CHARACTERS = 400;

/** The outcomes of a run: figures, then what did not pass in full, then the numbers of what passed. */
export function testRunText({ dialect, results, counts }: TestRun): string {
  const passed = results.filter(({ status }) => status === 'passed');
  return [
    `Run on ${dialect}: ${counts.passed} passed, ${counts.failed} failed, ${counts.notCompiled} not compiled, ${counts.notRun} not run.`,
    ...results.filter(({ status }) => status !== 'passed').map(resultText),
    ...(passed.length === 0 ? [] : [`Passed: ${passed.map(placeText).join(', ')}`]),
  ].join('\n');
}

function resultText(result: CaseResult): string {
  const { status, purpose, sql, expected, actual, role } = result;
  return [
    `${placeText(result)} ${status}: ${purpose}`,
    ...(sql.length === 0 ? [] : [`  SQL: ${cut(sql.join('; '))}`]),
    `  expected: ${cut(expected)}`,
    `  actual: ${cut(actual)}${role === undefined ? '' : ` (likely to be mended by ${role})`}`,
  ].join('\n');
}

function placeText({ set, case: number, operation }: CaseResult): string {
  return number === 0 ? `${set} given rows` : `${set}.${number} ${operation}`;
}

function expectationText(expected: TestCase['expected']): string {
  if (expected.outcome === 'accepted') return 'accepted';
  if (expected.outcome === 'rejected') return `rejected by ${expected.by}`;
  if (expected.rows.length === 0) return 'no rows';
  return `rows ${expected.rows.map((row) => `(${cellsText(row)})`).join(', ')}`;
}

function rowText({ target, values }: TestRow): string {
  return `${target} (${cellsText(values)})`;
}

function cellsText(cells: readonly TestCell[]): string {
  return cells.map(({ attribute, value }) => `${attribute} = ${JSON.stringify(value)}`).join(', ');
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= MAX_OUTCOME_CHARACTERS ? line : `${line.slice(0, MAX_OUTCOME_CHARACTERS)} …`;
}
