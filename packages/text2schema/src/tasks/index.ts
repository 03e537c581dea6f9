export {
  type BaselineInput,
  CHAIN_OF_THOUGHT_TASK_ID,
  chainOfThoughtTask,
  FEW_SHOT_TASK_ID,
  fewShotTask,
  GUIDED_TASK_ID,
  guidedTask,
  ONE_SHOT_TASK_ID,
  oneShotTask,
} from './baselines.ts';
export {
  CONCEPTUAL_MODEL_TASK_ID,
  type ConceptualModelInput,
  type ConceptualModelOutput,
  conceptualModelTask,
} from './conceptual-model.ts';
export { DESIGN_TOOLS } from './design-tools.ts';
export {
  LOGICAL_DESIGN_TASK_ID,
  type LogicalComplaint,
  type LogicalDesignInput,
  type LogicalDesignOutput,
  logicalDesignTask,
  type ObservedProposal,
} from './logical-design.ts';
export type { BaselineOutput } from './named-schema-form.ts';
export { REPORT_TASK_ID, type ReportInput, type ReportOutput, type RequirementPart, reportTask } from './report.ts';
export {
  REVIEW_ISSUE_KINDS,
  REVIEW_TASK_ID,
  type ReviewInput,
  type ReviewIssue,
  type ReviewOutput,
  reviewTask,
} from './review.ts';
export { type ReviewOutcome, reviewOutcome } from './review-outcome.ts';
export type { RoleTurnInput } from './role-turn.ts';
export { SINGLE_AGENT_TASK_ID, singleAgentTask } from './single-agent.ts';
export { TEST_PLAN_TASK_ID, type TestPlanInput, type TestPlanOutput, testPlanTask } from './test-plan.ts';
export {
  MENDING_ROLES,
  TEST_REPORT_TASK_ID,
  type TestReportInput,
  type TestReportOutput,
  testReportTask,
} from './test-report.ts';
