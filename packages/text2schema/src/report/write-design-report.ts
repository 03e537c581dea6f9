import { type ChatMessage, type Dialect, isAskemaError, type Schema } from '@askema/core';
import { sqliteDialect, writeDdl, writeMermaid } from '@askema/dialects';
import type { Clarification, ConceptualModel, RequirementReport } from '../model/conceptual-model.ts';
import type { DesignOutcome } from '../model/design-outcome.ts';
import type { CaseResult, TestReport, TestRun } from '../model/test-plan.ts';
import { blocks, codeBlock, inline, list, paragraphs, quote, table } from './markdown.ts';
import { type ReportTexts, reportTexts } from './report-texts.ts';
import { counterExamplesSection, plantedSection, requirementTestsSection } from './requirement-tests-section.ts';
import { certificateSection, logicalSection } from './schema-section.ts';

/** Options of {@link writeDesignReport}. */
export interface DesignReportOptions {
  /** BCP 47. Default: the language of the outcome. English where there are no texts in that language. */
  readonly language?: string | undefined;
  /** Of the DDL. Default: SQLite. */
  readonly dialect?: Dialect | undefined;
}

/**
 * A Markdown report of all phases of a design, in the language of the requirement. Of an outcome without a result it
 * holds what was made until then, and says so. Whatever a user or a model wrote is escaped: it becomes no mark-up, no
 * HTML and no link.
 */
export function writeDesignReport(outcome: DesignOutcome, options: DesignReportOptions = {}): string {
  const texts = reportTexts(options.language ?? outcome.language);
  const { headings } = texts;
  const { report, conceptual, design, requirementTests, testReport, mutationCheck } = outcome.artefacts;
  const schema = ('schema' in outcome ? outcome.schema : undefined) ?? design?.schema;
  const section = (heading: keyof ReportTexts['headings'], body: string | undefined): string | undefined =>
    body === undefined || body === '' ? undefined : blocks(`## ${headings[heading]}`, body);
  const text = blocks(
    `# ${inline(report?.title ?? '') || texts.untitled}`,
    `**${statusOf(texts, outcome)}**`,
    section('notFinished', notFinished(texts, outcome)),
    section('requirement', quote(outcome.requirement)),
    section('clarifications', report && clarificationsSection(texts, report.clarifications)),
    section('assumptions', assumptionsSection(outcome)),
    section('report', report && reportSection(texts, report)),
    section('conceptual', conceptual && conceptualSection(texts, conceptual)),
    section('logical', design && logicalSection(texts, design)),
    section('certificate', design && certificateSection(texts, design)),
    section('diagram', schema && codeBlock('mermaid', writeMermaid(schema))),
    section('ddl', schema && ddlBlock(texts, schema, options.dialect ?? sqliteDialect)),
    section(
      'tests',
      requirementTests === undefined
        ? testReport && testsSection(texts, testReport)
        : requirementTestsSection(texts, outcome.artefacts),
    ),
    section('counterExamples', counterExamplesSection(texts, outcome.artefacts)),
    section('planted', mutationCheck && plantedSection(texts, mutationCheck)),
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
function missingPhases(texts: ReportTexts, { strategy, preset, type, artefacts }: DesignOutcome): string | undefined {
  if (type === 'refused') return undefined;
  const { headings } = texts;
  const phases: readonly (readonly [string, unknown])[] =
    strategy === 'schema-agent'
      ? [
          // In `tested` there is a report only where somebody can be asked, or where the text is long.
          ...(preset === 'tested'
            ? []
            : ([
                [headings.report, artefacts.report],
                [headings.conceptual, artefacts.conceptual],
              ] as const)),
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

/** Longer complaints stand in the transcript. */
const MAX_COMPLAINT_CHARACTERS = 600;
const MAX_COMPLAINTS = 50;

/** Who corrected whom. */
function courseSection(texts: ReportTexts, { transcript, rounds }: DesignOutcome): string {
  const { columns } = texts;
  const complaints = transcript.filter(({ kind }) => kind === 'feedback');
  const rows = complaints
    .slice(0, MAX_COMPLAINTS)
    .map((message) => [
      String(message.number),
      roleTitle(texts, message.from),
      receivers(texts, message),
      cut(message.text),
    ]);
  return blocks(
    texts.messages(transcript.length, rounds),
    complaints.length === 0
      ? texts.noCorrections
      : blocks(texts.corrections, table([columns.round, columns.from, columns.to, columns.what], rows)),
    complaints.length > MAX_COMPLAINTS && texts.moreCorrections(complaints.length - MAX_COMPLAINTS),
  );
}

function receivers(texts: ReportTexts, { next, to }: ChatMessage): string {
  if (next !== undefined) return roleTitle(texts, next);
  return to === 'all' ? texts.roles.all : to.map((role) => roleTitle(texts, role)).join(texts.comma);
}

/** Roles of other chats than ours keep their id. */
function roleTitle({ roles }: ReportTexts, role: string): string {
  return Object.hasOwn(roles, role) ? roles[role as keyof typeof roles] : role;
}

function cut(text: string): string {
  return text.length > MAX_COMPLAINT_CHARACTERS
    ? `${text.slice(0, MAX_COMPLAINT_CHARACTERS).replace(/[\ud800-\udbff]$/, '')} …`
    : text;
}

/** Calls, tokens, seconds. */
function costSection(texts: ReportTexts, outcome: DesignOutcome): string {
  const { calls, elapsedMs, strategy, usage, solvedBy, runId } = outcome;
  const count = (tokens: number | undefined): string => (tokens === undefined ? texts.unknown : String(tokens));
  return blocks(
    texts.cost(calls, (elapsedMs / 1_000).toFixed(1), texts.strategies[strategy]),
    texts.tokens(count(usage.inputTokens), count(usage.outputTokens)),
    solvedBy.length > 0 && texts.solvedBy(solvedBy.map(inline).join(texts.comma)),
    texts.runId(inline(runId)),
  );
}

/** The judgement of the test executor, and the cases that did not pass, with their SQL. */
function testsSection(texts: ReportTexts, { text, errors, run }: TestReport): string {
  return blocks(
    run === undefined ? texts.noRun : runBlock(texts, run),
    paragraphs(text),
    errors.length > 0 && blocks(`**${texts.labels.openErrors}**`, errorList(texts, errors)),
    run === undefined ? undefined : blocks(...casesBehind(texts, run)),
  );
}

function errorList(texts: ReportTexts, errors: TestReport['errors']): string {
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

function clarificationsSection(texts: ReportTexts, clarifications: readonly Clarification[]): string {
  const { labels, kinds, colon } = texts;
  const items = clarifications.map(({ kind, question, quotes, assumption, answer }) => {
    const lines = [
      `**${kinds[kind]}${colon.trimEnd()}** ${inline(question)}`,
      ...quotes.map((words) => `  - ${labels.quotes}${colon}“${inline(words)}”`),
      answer === undefined
        ? `  - ${labels.assumption}${colon}${inline(assumption)}`
        : `  - ${labels.answer}${colon}${inline(answer)}`,
    ];
    return lines.join('\n');
  });
  return list(items);
}

/** Those that do not stand among the clarifications. */
function assumptionsSection({ assumptions, artefacts }: DesignOutcome): string {
  const told = new Set((artefacts.report?.clarifications ?? []).map(({ assumption }) => assumption));
  return list(assumptions.filter((assumption) => !told.has(assumption)).map(inline));
}

function reportSection(texts: ReportTexts, report: RequirementReport): string {
  const { labels, columns, comma } = texts;
  const points = (label: string, sentences: readonly string[]): string | undefined =>
    sentences.length === 0 ? undefined : blocks(`**${label}**`, list(sentences.map(inline)));
  return blocks(
    paragraphs(report.summary),
    points(labels.functions, report.functions),
    report.subjects.length > 0 &&
      blocks(
        `**${labels.subjects}**`,
        table(
          [columns.subject, columns.attributes, columns.description],
          report.subjects.map(({ name, attributes, description }) => [name, attributes.join(comma), description]),
        ),
      ),
    points(labels.relationships, report.relationships),
    points(labels.rules, report.rules),
  );
}

function conceptualSection(texts: ReportTexts, { entitySets, relationshipSets }: ConceptualModel): string {
  const { columns, cardinalities, comma, none } = texts;
  const listed = (names: readonly string[]): string => (names.length === 0 ? none : names.join(comma));
  return blocks(
    table(
      [columns.entitySet, columns.attributes],
      entitySets.map(({ name, attributes }) => [name, listed(attributes)]),
    ),
    relationshipSets.length > 0 &&
      table(
        [columns.relationshipSet, columns.participants, columns.attributes],
        relationshipSets.map(({ name, participants, attributes }) => [
          name,
          participants
            .map(({ entity, role, cardinality }) => {
              const named = role === undefined ? entity : `${entity} (${role})`;
              return `${named} [${cardinalities[cardinality]}]`;
            })
            .join(comma),
          listed(attributes),
        ]),
      ),
  );
}
