import { defineTask, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type {
  Clarification,
  DesignFinding,
  LogicalDesign,
  NamedSchema,
  RelationRules,
  RequirementReport,
  RequirementTest,
  RequirementTestResult,
  TestPlace,
} from '../model/index.ts';
import { findingsText, reportText } from '../texts/report-text.ts';
import { schemaText } from '../texts/schema-text.ts';
import { listOf, nameField, nameList, sentenceList, textField, typeField } from './output-fields.ts';
import { languageSentence } from './role-turn.ts';
import { gapsText, type OpenGap, placeListForm, placesOfForm, testedSystemText } from './tested-role.ts';

export const DRAFT_TASK_ID = 'text2schema.draft';

/** A test that failed, with what happened. */
export interface OpenTest {
  readonly test: RequirementTest;
  readonly result: RequirementTestResult;
}

/** What there is to be mended. */
export interface DesignProblems {
  readonly design: LogicalDesign;
  readonly assumptions: readonly string[];
  readonly tests: readonly OpenTest[];
  readonly gaps: readonly OpenGap[];
  readonly findings: readonly DesignFinding[];
}

export interface DraftInput {
  /** Left out where it is too long for one prompt: then the report stands for it. */
  readonly requirement: string | undefined;
  readonly report: RequirementReport | undefined;
  /** Answers of the user. */
  readonly answered: readonly Clarification[];
  readonly language: string;
  /** Undefined for the first draft. */
  readonly problems: DesignProblems | undefined;
}

/** A test that the designer takes for wrong. */
export interface Dispute {
  readonly test: number;
  readonly reason: string;
}

export interface DraftOutput {
  /** For the transcript. */
  readonly thinking: string;
  /** Why the text is turned down; empty where it is not. */
  readonly refusal: string;
  readonly schema: NamedSchema;
  /** Beside `schema.relations`, in their order. */
  readonly rules: readonly RelationRules[];
  readonly assumptions: readonly string[];
  readonly places: readonly TestPlace[];
  readonly disputes: readonly Dispute[];
  /** What the report says against the requirement. */
  readonly reportErrors: readonly string[];
}

const draftForm = z.object({
  thinking: textField().describe('What was doubtful, and how it was decided; a few sentences.'),
  refusal: textField().describe('Why the text is not about data to be stored; mostly empty.'),
  relations: listOf(
    z.object({
      name: nameField(),
      attributes: listOf(z.object({ name: nameField(), type: typeField() })),
      key: nameList(),
      references: listOf(z.object({ attributes: nameList(), target: nameField() })),
      unique: nameList(),
      required: nameList(),
      dependencies: listOf(z.object({ left: nameList(), right: nameList() })),
    }),
  ),
  assumptions: sentenceList(),
  places: placeListForm().describe('Only where tests were shown.'),
  disputes: listOf(z.object({ test: z.coerce.number().int(), reason: textField() })),
  reportErrors: sentenceList().describe('What a report says against the requirement; mostly none.'),
});

/** The turn of the designer in the preset `tested`: a whole schema, or the one that tests have shown to be wrong. */
export const draftTask: Task<DraftInput, DraftOutput> = defineTask({
  id: DRAFT_TASK_ID,
  version: 1,
  description: 'Designs a relational schema at once, or mends it by what tests have shown.',
  render: (input: DraftInput): readonly Message[] => [
    systemMessage(testedSystemText('logical-designer')),
    userMessage(
      [
        ...requirementSections(input),
        ...problemSections(input.problems),
        ...languageSentence(input.language),
        input.problems === undefined
          ? 'Design the schema.'
          : 'Give the whole schema anew, with that mended. Places and disputes only for what is shown here.',
      ].join('\n\n'),
    ),
  ],
  output: draftForm.transform(
    ({ relations, places, ...rest }): DraftOutput => ({
      ...rest,
      schema: {
        relations: relations.map(({ name, attributes, key, references }) => ({
          name,
          attributes,
          primaryKey: key,
          foreignKeys: references.map(({ attributes, target }) => ({ attributes, target, targetAttributes: [] })),
        })),
      },
      rules: relations.map(({ unique, required, dependencies }) => ({ unique, required, dependencies })),
      places: placesOfForm(places),
    }),
  ),
});

/** The requirement, the report where there is one, and what the user answered. */
export function requirementSections({
  requirement,
  report,
  answered,
}: Pick<DraftInput, 'requirement' | 'report' | 'answered'>): readonly string[] {
  const answers = answered.map(({ question, answer }) => `${question} ${answer}`).join('\n');
  return [
    ...(requirement === undefined ? [] : [`The requirement:\n${fence('requirement', requirement)}`]),
    ...(report === undefined ? [] : [`The report of the product manager:\n${fence('report', reportText(report))}`]),
    ...(answers === '' ? [] : [`What the user answered:\n${fence('answers', answers)}`]),
  ];
}

function problemSections(problems: DesignProblems | undefined): readonly string[] {
  if (problems === undefined) return [];
  const { design, assumptions, tests, gaps, findings } = problems;
  return [
    `Your design:\n${fence('design', schemaText(design.schema))}`,
    ...(assumptions.length === 0 ? [] : [`Your assumptions:\n${fence('assumptions', assumptions.join('\n'))}`]),
    ...(gaps.length === 0 ? [] : [`What code found no place for:\n${fence('no place', gapsText(gaps))}`]),
    ...(tests.length === 0 ? [] : [`Tests that did not pass:\n${fence('tests', openTestsText(tests))}`]),
    ...(findings.length === 0 ? [] : [`What code found in the design:\n${fence('findings', findingsText(findings))}`]),
  ];
}

/** Tests that ended alike stand together: a sample that is refused ends all that need it. */
function openTestsText(tests: readonly OpenTest[]): string {
  const groups = Map.groupBy(tests, ({ result }) => result.actual);
  return [...groups]
    .map(([actual, [first, ...others]]) => {
      if (first === undefined) return '';
      const { number, kind, says } = first.test;
      const also = others.length === 0 ? '' : ` So ended ${others.map(({ test }) => test.number).join(', ')}.`;
      return `Test ${number} (${kind}): ${says}\n  ${actual}${also}`;
    })
    .join('\n');
}
