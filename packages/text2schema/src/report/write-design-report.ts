import { type Dialect, isAskemaError, type Schema } from '@askema/core';
import { sqliteDialect, writeDdl, writeMermaid } from '@askema/dialects';
import type { DesignOutcome } from '../model/design-outcome.ts';
import { costSection, courseSection } from './course-section.ts';
import { blocks, codeBlock, inline, list, quote } from './markdown.ts';
import { clarificationsSection, conceptualSection, reportSection } from './phase-sections.ts';
import { type ReportTexts, reportTexts } from './report-texts.ts';
import { certificateSection, logicalSection } from './schema-section.ts';
import { errorList, testsSection } from './tests-section.ts';

/** Options of {@link writeDesignReport}. */
export interface DesignReportOptions {
  /** BCP 47. Default: the language of the outcome. English where there are no texts in that language. */
  readonly language?: string | undefined;
  /** Of the DDL. Default: SQLite. */
  readonly dialect?: Dialect | undefined;
}

/**
 * A Markdown report of all phases of a design, in the language of the requirement. Of an outcome without a result it holds what was made
 * until then, and says so. Whatever a user or a model wrote is escaped: it becomes no mark-up, no HTML and no link.
 */
export function writeDesignReport(outcome: DesignOutcome, options: DesignReportOptions = {}): string {
  const texts = reportTexts(options.language ?? outcome.language);
  const { headings } = texts;
  const { report, conceptual, design, testReport } = outcome.artefacts;
  const schema = ('schema' in outcome ? outcome.schema : undefined) ?? design?.schema;
  const section = (heading: keyof ReportTexts['headings'], body: string | undefined): string | undefined =>
    body === undefined || body === '' ? undefined : blocks(`## ${headings[heading]}`, body);
  const text = blocks(
    `# ${inline(report?.title ?? '') || texts.untitled}`,
    `**${statusOf(texts, outcome)}**`,
    section('notFinished', notFinished(texts, outcome)),
    section('requirement', quote(outcome.requirement)),
    section('clarifications', report && clarificationsSection(texts, report.clarifications)),
    section('report', report && reportSection(texts, report)),
    section('conceptual', conceptual && conceptualSection(texts, conceptual)),
    section('logical', design && logicalSection(texts, design)),
    section('certificate', design && certificateSection(texts, design)),
    section('diagram', schema && codeBlock('mermaid', writeMermaid(schema))),
    section('ddl', schema && ddlBlock(texts, schema, options.dialect ?? sqliteDialect)),
    section('tests', testReport && testsSection(texts, testReport)),
    section('course', outcome.transcript.length === 0 ? undefined : courseSection(texts, outcome)),
    section('cost', costSection(texts, outcome)),
    section('warnings', list(outcome.warnings.map(inline))),
  );
  return `${text}\n`;
}

function statusOf({ status }: ReportTexts, outcome: DesignOutcome): string {
  if (outcome.type !== 'designed') return status[outcome.type];
  return outcome.accepted ? status.accepted : status.notAccepted;
}

/** What broke it off, what was not made, and what is still wrong. Empty for an accepted design. */
function notFinished(texts: ReportTexts, outcome: DesignOutcome): string | undefined {
  if (outcome.type === 'designed' && outcome.accepted) return undefined;
  const { labels, colon } = texts;
  const { design, testReport } = outcome.artefacts;
  const findings = (design?.findings ?? []).filter(({ severity }) => severity === 'error');
  return blocks(
    'error' in outcome && `${labels.reason}${colon}${inline(outcome.error.message)} (${inline(outcome.error.code)})`,
    outcome.type === 'refused' && `${labels.reason}${colon}${inline(outcome.reason)}`,
    outcome.type === 'needsClarification' &&
      blocks(texts.openQuestions, clarificationsSection(texts, outcome.questions)),
    missingPhases(texts, outcome),
    findings.length > 0 &&
      blocks(
        `**${labels.openFindings}**`,
        list(findings.map(({ message, remedy }) => `${inline(message)} ${labels.remedy}${colon}${inline(remedy)}`)),
      ),
    testReport !== undefined &&
      testReport.errors.length > 0 &&
      blocks(`**${labels.openErrors}**`, errorList(texts, testReport.errors)),
  );
}

/** Baselines have no phases but the schema. */
function missingPhases(texts: ReportTexts, { strategy, type, artefacts }: DesignOutcome): string | undefined {
  if (type === 'refused') return undefined;
  const { headings } = texts;
  const phases: readonly (readonly [string, unknown])[] =
    strategy === 'schema-agent'
      ? [
          [headings.report, artefacts.report],
          [headings.conceptual, artefacts.conceptual],
          [headings.logical, artefacts.design],
          [headings.tests, artefacts.testReport],
        ]
      : [[headings.logical, artefacts.design]];
  const missing = phases.filter(([, artefact]) => artefact === undefined).map(([heading]) => heading);
  return missing.length === 0 ? undefined : texts.missingPhases(missing);
}

function ddlBlock(texts: ReportTexts, schema: Schema, dialect: Dialect): string {
  try {
    return codeBlock('sql', writeDdl(schema, dialect));
  } catch (thrown) {
    if (isAskemaError(thrown)) return texts.ddlImpossible(inline(thrown.message));
    throw thrown;
  }
}
