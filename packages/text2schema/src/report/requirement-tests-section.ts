import type { DesignArtefacts } from '../model/design-outcome.ts';
import type { MutationCheck, RequirementTest } from '../model/requirement-test.ts';
import type { CaseResult, TestRun } from '../model/test-plan.ts';
import { blocks, inline, list, table } from './markdown.ts';
import type { ReportTexts } from './report-texts.ts';

/** How the tests ran, and what became of those that the QA engineer wrote. */
export function requirementTestsSection(texts: ReportTexts, artefacts: DesignArtefacts): string {
  const run = artefacts.testReport?.run;
  return blocks(
    run && countsBlock(texts, run),
    testTable(texts, artefacts, ({ by }) => by !== 'conceptual-reviewer'),
  );
}

/** What became of the tests by which the reviewer argued against the design; empty where there are none. */
export function counterExamplesSection(texts: ReportTexts, artefacts: DesignArtefacts): string {
  return testTable(texts, artefacts, ({ by }) => by === 'conceptual-reviewer');
}

/** What the tests are worth; empty where nothing was planted. */
export function plantedSection(texts: ReportTexts, { planted, noticed, unnoticed }: MutationCheck): string {
  if (planted === 0) return '';
  return blocks(
    texts.planted(planted, noticed),
    unnoticed.length > 0 && blocks(texts.unnoticed, list(unnoticed.map(inline))),
  );
}

function countsBlock(texts: ReportTexts, { dialect, counts }: TestRun): string {
  const { columns } = texts;
  return blocks(
    ranOn(texts, dialect),
    table(
      [columns.passed, columns.failed, columns.noPlace],
      [[counts.passed, counts.failed, counts.notCompiled].map(String)],
    ),
  );
}

/** A schema that no database accepts ran on `none`. */
function ranOn(texts: ReportTexts, dialect: string): string {
  if (dialect === 'none') return '';
  return dialect === 'memory' ? texts.ranInMemory : texts.ranOn(inline(dialect));
}

function testTable(
  texts: ReportTexts,
  { requirementTests = [], testReport }: DesignArtefacts,
  isShown: (test: RequirementTest) => boolean,
): string {
  const { columns, testKinds } = texts;
  const byNumber = new Map((testReport?.run?.results ?? []).map((result) => [result.set, result]));
  const rows = requirementTests
    .filter(isShown)
    .map((test) => [String(test.number), testKinds[test.kind], test.says, becameOf(texts, byNumber.get(test.number))]);
  if (rows.length === 0) return '';
  return table([columns.test, columns.kind, columns.says, columns.became], rows);
}

function becameOf({ statuses, labels, colon }: ReportTexts, result: CaseResult | undefined): string {
  if (result === undefined) return statuses['not run'];
  const { status, actual } = result;
  const word = status === 'not compiled' ? labels.noPlace : statuses[status];
  return actual === '' ? word : `${word}${colon}${actual}`;
}
