import { defineTask, type Message, type RoleId, systemMessage, type Task, userMessage } from '@askema/core';
import * as z from 'zod';
import type { ConceptualModel, LogicalDesign, TestPlan, TestRun, TestVerdictError } from '../model/index.ts';
import { listOf, roleField, speakerField, textField } from './output-fields.ts';
import type { RoleTurnInput } from './role-turn.ts';

export const TEST_REPORT_TASK_ID = 'text2schema.test-report';

/** Who can mend what the test executor finds. */
export const MENDING_ROLES = ['product-manager', 'conceptual-designer', 'logical-designer', 'qa-engineer'] as const;

export interface TestReportInput extends RoleTurnInput {
  readonly model: ConceptualModel;
  readonly design: LogicalDesign;
  readonly plan: TestPlan;
  /** The real outcomes; undefined where no scratch database was passed: then it judges by reading, and says so. */
  readonly run?: TestRun | undefined;
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

export const testReportForm = z.object({
  thinking: textField(),
  errors: listOf(z.object({ role: roleField(), problem: textField(), remedy: textField() })),
  text: textField(),
  end: z.preprocess(
    (given) => (typeof given === 'string' && /^\W*terminal\W*$/i.test(given) ? 'TERMINAL' : null),
    z.enum(['TERMINAL']).nullable(),
  ),
  next: speakerField(MENDING_ROLES),
});

/** The turn of the test executor. */
export const testReportTask: Task<TestReportInput, TestReportOutput> = defineTask({
  id: TEST_REPORT_TASK_ID,
  version: 1,
  description: 'Judges a schema by the outcomes of its tests.',
  render: (input: TestReportInput): readonly Message[] => [systemMessage('…'), userMessage(input.requirement ?? '')],
  output: testReportForm.transform(({ thinking: _, ...report }): TestReportOutput => report),
});
