import type { CaseResult, TestReport, TestRun } from '../model/test-run.ts';
import { blocks, codeBlock, inline, list, paragraphs, table } from './markdown.ts';
import type { ReportTexts } from './report-texts.ts';

/** The judgement of the test executor, and the cases that did not pass, with their SQL. */
export function testsSection(texts: ReportTexts, { text, errors, run }: TestReport): string {
  return blocks(
    run === undefined ? texts.noRun : runBlock(texts, run),
    paragraphs(text),
    errors.length > 0 && blocks(`**${texts.labels.openErrors}**`, errorList(texts, errors)),
    run === undefined ? undefined : blocks(...casesBehind(texts, run)),
  );
}

export function errorList(texts: ReportTexts, errors: TestReport['errors']): string {
  const { roles, labels, colon } = texts;
  return list(
    errors.map(
      ({ role, problem, remedy }) =>
        `**${roles[role]}${colon.trimEnd()}** ${inline(problem)} ${labels.remedy}${colon}${inline(remedy)}`,
    ),
  );
}

function runBlock(texts: ReportTexts, { dialect, counts }: TestRun): string {
  const { columns } = texts;
  return blocks(
    texts.ranOn(inline(dialect)),
    table(
      [columns.passed, columns.failed, columns.notCompiled, columns.notRun],
      [[counts.passed, counts.failed, counts.notCompiled, counts.notRun].map(String)],
    ),
  );
}

function casesBehind(texts: ReportTexts, { results }: TestRun): string[] {
  const open = results.filter(({ status }) => status !== 'passed');
  return open.length === 0 ? [texts.allPassed] : open.map((result) => caseBlock(texts, result));
}

function caseBlock(texts: ReportTexts, result: CaseResult): string {
  const { labels, colon, roles, statuses, operations } = texts;
  const set = String(result.set);
  const title =
    result.case === 0 ? texts.givenTitle(set) : texts.caseTitle(set, result.case, operations[result.operation]);
  return blocks(
    `### ${title}${colon}${statuses[result.status]}`,
    inline(result.purpose),
    list([
      `${labels.expected}${colon}${inline(result.expected)}`,
      `${labels.actual}${colon}${inline(result.actual)}`,
      ...(result.role === undefined ? [] : [`${labels.mendedBy}${colon}${roles[result.role]}`]),
    ]),
    result.sql.length > 0 && codeBlock('sql', result.sql.join(';\n')),
  );
}
