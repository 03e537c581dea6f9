import { defineTask, type Message, systemMessage, type Task, userMessage } from '@askema/core';
import type { DesignFinding, TestPlan } from '../model/index.ts';
import type { RoleTurnInput } from './role-turn.ts';
import { planOfForm, testPlanForm } from './test-plan-form.ts';

export const TEST_PLAN_TASK_ID = 'text2schema.test-plan';

export interface TestPlanInput extends RoleTurnInput {
  /**
   * Names that the tests may use for their targets, so that code finds them. The tests come from the report: what is missing in the
   * schema is tested all the same, in the report's words.
   */
  readonly relations?: readonly { readonly name: string; readonly attributes: readonly string[] }[] | undefined;
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
  render: (input: TestPlanInput): readonly Message[] => [systemMessage('…'), userMessage(input.requirement ?? '')],
  output: testPlanForm.transform((form): TestPlanOutput => ({ plan: planOfForm(form) })),
});
