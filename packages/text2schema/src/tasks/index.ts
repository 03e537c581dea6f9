export {
  type BaselineInput,
  type BaselineOutput,
  chainOfThoughtTask,
  fewShotTask,
  guidedTask,
  oneShotTask,
} from './baselines.ts';
export {
  CONCEPTUAL_MODEL_TASK_ID,
  type ConceptualModelInput,
  type ConceptualModelOutput,
  conceptualModelTask,
} from './conceptual-model.ts';
export {
  COUNTER_EXAMPLES_TASK_ID,
  type CounterExamplesInput,
  type CounterExamplesOutput,
  counterExamplesTask,
} from './counter-examples.ts';
export { DESIGN_TOOLS } from './design-tools.ts';
export {
  type DesignProblems,
  type Dispute,
  DRAFT_TASK_ID,
  type DraftInput,
  type DraftOutput,
  draftTask,
  type OpenTest,
} from './draft.ts';
export {
  LOGICAL_DESIGN_TASK_ID,
  type LogicalComplaint,
  type LogicalDesignInput,
  type LogicalDesignOutput,
  logicalDesignTask,
} from './logical-design.ts';
export { REPORT_TASK_ID, type ReportInput, type ReportOutput, reportTask } from './report.ts';
export {
  REQUIREMENT_TESTS_TASK_ID,
  type RequirementTestsInput,
  type RequirementTestsOutput,
  requirementTestsTask,
} from './requirement-tests.ts';
export {
  REVIEW_TASK_ID,
  type ReviewInput,
  type ReviewOutput,
  reviewTask,
} from './review.ts';
export { reviewOutcome } from './review-outcome.ts';
export type { RoleTurnInput } from './role-turn.ts';
export { singleAgentTask } from './single-agent.ts';
export { TEST_PLAN_TASK_ID, type TestPlanInput, type TestPlanOutput, testPlanTask } from './test-plan.ts';
export {
  MENDING_ROLES,
  TEST_REPORT_TASK_ID,
  type TestReportInput,
  type TestReportOutput,
  testReportTask,
} from './test-report.ts';
export type { OpenGap, WrittenTest } from './tested-role.ts';
