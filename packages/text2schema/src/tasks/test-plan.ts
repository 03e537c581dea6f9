import { type DataType, defineTask, fence, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import type { DesignFinding, TestPlan } from '../model/index.ts';
import { findingsText } from '../texts/findings-text.ts';
import { testPlanText } from '../texts/test-text.ts';
import { groundSections, languageSentence, messageSections, type RoleTurnInput, roleSystemText } from './role-turn.ts';
import { planOfForm, testPlanForm } from './test-plan-form.ts';

export const TEST_PLAN_TASK_ID = 'text2schema.test-plan';

/** A relation as the tests have to know it. */
export interface NamedColumns {
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly type: DataType }[];
}

export interface TestPlanInput extends RoleTurnInput {
  /**
   * Names that the tests may use for their targets, so that code finds them. The tests come from the report: what is missing in the
   * schema is tested all the same, in the report's words.
   */
  readonly relations?: readonly NamedColumns[] | undefined;
  /** True where rules of the requirement (not null, unique) are put into the schema. Default: false. */
  readonly explicitConstraints?: boolean | undefined;
  /** The plan that has to be mended, and what code found in it (`planFindings`) or the test executor said. */
  readonly previous?: { readonly plan: TestPlan; readonly findings: readonly DesignFinding[] } | undefined;
}

export interface TestPlanOutput {
  readonly plan: TestPlan;
}

/** The turn of the QA engineer. */
export const testPlanTask: Task<TestPlanInput, TestPlanOutput> = defineTask({
  id: TEST_PLAN_TASK_ID,
  version: 1,
  description: 'Writes test cases for a schema from the functional report.',
  render: (input: TestPlanInput): readonly Message[] => [
    systemMessage(roleSystemText('qa-engineer', input.absentRoles)),
    userMessage(
      [
        ...groundSections(input),
        ...nameSections(input.relations ?? []),
        ...previousSections(input.previous),
        ...messageSections(input.messages, 'qa-engineer'),
        ...languageSentence(input.report?.language),
        `Write the ${SETS} sets of test cases. ${constraintSentence(input.explicitConstraints ?? false)}`,
      ].join('\n\n'),
    ),
  ],
  output: testPlanForm.transform((form): TestPlanOutput => ({ plan: planOfForm(form) })),
});

/** SchemaAgent, section 4.1, Listing 5. */
const SETS = 10;

/** What the database refuses; the test executor has to know it too. */
export function constraintSentence(explicitConstraints: boolean): string {
  return explicitConstraints
    ? 'Rules of the requirement about what must be present or unique are enforced too: `not null` and `unique` may be expected for them.'
    : 'Only keys and references are enforced: expect no refusal for `not null` or `unique`.';
}

function nameSections(relations: NonNullable<TestPlanInput['relations']>): readonly string[] {
  if (relations.length === 0) return [];
  const lines = relations
    .map(({ name, attributes }) => `${name}(${attributes.map((one) => `${one.name} [${one.type}]`).join(', ')})`)
    .join('\n');
  return [
    `Names that the database has, each attribute with its type in brackets. Use them for targets and attributes where they mean what you want to test; what the report wants and is not among them is tested all the same, in the words of the report:\n${fence('names', lines)}`,
  ];
}

function previousSections(previous: TestPlanInput['previous']): readonly string[] {
  if (previous === undefined) return [];
  const { plan, findings } = previous;
  return [
    `Your last plan:\n${fence('plan', testPlanText(plan))}`,
    `What is wrong with it:\n${fence('findings', findingsText(findings))}`,
    'Give the whole plan anew, with that mended.',
  ];
}
