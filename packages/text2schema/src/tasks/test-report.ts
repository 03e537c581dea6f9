import { defineTask, fence, type Message, type RoleId, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { ConceptualModel, LogicalDesign, TestPlan, TestRun, TestVerdictError } from '../model/index.ts';
import { conceptualModelText, designText } from '../texts/schema-text.ts';
import { testPlanText, testRunText } from '../texts/test-text.ts';
import { listOf, roleField, speakerField, textField } from './output-fields.ts';
import { groundSections, languageSentence, messageSections, type RoleTurnInput, roleSystemText } from './role-turn.ts';
import { constraintSentence } from './test-plan.ts';

export const TEST_REPORT_TASK_ID = 'text2schema.test-report';

/** Who can mend what the test executor finds. */
export const MENDING_ROLES = ['product-manager', 'conceptual-designer', 'logical-designer', 'qa-engineer'] as const;

export interface TestReportInput extends RoleTurnInput {
  readonly model: ConceptualModel;
  readonly design: LogicalDesign;
  readonly plan: TestPlan;
  /** The real outcomes; undefined where no scratch database was passed: then it judges by reading, and says so. */
  readonly run?: TestRun | undefined;
  /** As for the test plan. Default: false. */
  readonly explicitConstraints?: boolean | undefined;
  /** False where errors can no longer be sent back. */
  readonly mayReject: boolean;
}

export interface TestReportOutput {
  /** The full report, in the language of the requirement. */
  readonly text: string;
  readonly errors: readonly TestVerdictError[];
  /** `TERMINAL`: the design is accepted. Null: see `errors` and `next`. */
  readonly end: 'TERMINAL' | null;
  readonly next: RoleId | null;
}

const testReportForm = z.object({
  thinking: textField().describe('Each case that did not pass, and what is at fault; a few sentences.'),
  errors: listOf(z.object({ role: roleField(), problem: textField(), remedy: textField() })),
  text: textField(),
  end: z.preprocess(
    (given) => (typeof given === 'string' && /^\W*terminal\W*$/i.test(given) ? 'TERMINAL' : null),
    z.enum(['TERMINAL']).nullable(),
  ),
  next: speakerField(MENDING_ROLES).describe('Null where there are no errors.'),
});

/** The turn of the test executor. */
export const testReportTask: Task<TestReportInput, TestReportOutput> = defineTask({
  id: TEST_REPORT_TASK_ID,
  version: 1,
  description: 'Judges a schema by the outcomes of its tests.',
  render: (input: TestReportInput): readonly Message[] => [
    systemMessage(roleSystemText('test-executor', input.absentRoles)),
    userMessage(
      [
        ...groundSections(input),
        `The entity-relationship model:\n${fence('model', conceptualModelText(input.model))}`,
        `The schema, with keys, foreign keys and dependencies:\n${fence('schema', designText(input.design))}`,
        ...messageSections(input.messages, 'test-executor', { own: true }),
        ...outcomeSections(input),
        ...languageSentence(input.report?.language),
        closing(input),
      ].join('\n\n'),
    ),
  ],
  output: testReportForm.transform(({ thinking: _, ...report }): TestReportOutput => report),
});

function outcomeSections({ plan, run }: TestReportInput): readonly string[] {
  if (run === undefined)
    return [
      `The test cases. They were not run, because there is no scratch database: judge by reading what would happen, and say in the report that nothing was run:\n${fence('test cases', testPlanText(plan))}`,
    ];
  const titles = plan.sets.map(({ title }, at) => `${at + 1}. ${title}`).join('\n');
  return [
    `The sets of test cases:\n${fence('sets', titles)}`,
    `What happened when they ran:\n${fence('outcomes', testRunText(run))}`,
  ];
}

function closing({ explicitConstraints, mayReject }: TestReportInput): string {
  const job = `Judge the schema and write the test report. ${constraintSentence(explicitConstraints ?? false)}`;
  return mayReject ? job : `${job} Nothing can be sent back any more: list what is wrong, and name nobody.`;
}
