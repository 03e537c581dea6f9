export * from './conversation/conversation.ts';
export type * from './conversation/conversation-options.ts';
export * from './conversation/find-database.ts';
export { namedDatabase } from './conversation/named-database.ts';
export { type RewriteInput, type RewriteOutput, rewriteTask } from './conversation/tasks/rewrite.ts';
export * from './create-text2sql.ts';
export * from './documents/select-passages.ts';
export * from './explore/exploration.ts';
export {
  EXPLORATION_KEY,
  exploreColumns,
  exploreColumnsStep,
  exploreForQuestion,
  profileForQuestion,
} from './explore/explore-for-question.ts';
export { auto } from './flows/auto/auto.ts';
export { AUTO_EFFORTS, type AutoOptions, type Effort } from './flows/auto/auto-options.ts';
export type * from './flows/auto/auto-state.ts';
export type * from './flows/auto/doubt.ts';
export { reviseSqlTask } from './flows/auto/tasks/revise-sql.ts';
export { direct } from './flows/direct/direct.ts';
export { type ActionsOfQuery, actionsOfQuery } from './flows/inspect/clauses/actions-of-query.ts';
export { type AssembledSql, type AssembleOptions, assembleSql } from './flows/inspect/clauses/assemble-sql.ts';
export type * from './flows/inspect/clauses/clause-action.ts';
export { CLAUSE_ACTIONS } from './flows/inspect/clauses/clause-action.ts';
export { describeAction } from './flows/inspect/clauses/describe-action.ts';
export { inspect } from './flows/inspect/inspect.ts';
export { INSPECT_DEFAULTS, type InspectOptions } from './flows/inspect/inspect-options.ts';
export type * from './flows/inspect/state/inspect-state.ts';
export { INSPECT_TASKS, type InspectTasks } from './flows/inspect/tasks/inspect-tasks.ts';
export { debugSql } from './flows/plain/debug-sql.ts';
export { generateSql } from './flows/plain/generate-sql.ts';
export * from './flows/plain/plain.ts';
export { debugSqlTask } from './flows/plain/tasks/debug-sql.ts';
export { generateSqlTask } from './flows/plain/tasks/generate-sql.ts';
export { type ReactOptions, react } from './flows/react/react.ts';
export type * from './flows/react/react-state.ts';
export { reactTurnTask } from './flows/react/tasks/react-turn.ts';
export { cteTraceText } from './flows/refine/cte/cte-trace.ts';
export { refine } from './flows/refine/refine.ts';
export { REFINE_PRESET_NAMES, REFINE_PRESETS, type RefineOptions } from './flows/refine/refine-options.ts';
export type * from './flows/refine/state/cte-work.ts';
export type * from './flows/refine/state/refine-plan.ts';
export type * from './flows/refine/state/refine-state.ts';
export { REFINE_TASKS, type RefineTasks } from './flows/refine/tasks/refine-tasks.ts';
export type * from './inspection/inspection-options.ts';
export { decodeOutcome, encodeOutcome, OUTCOME_TYPES, type OutcomeJson } from './outcome/outcome-json.ts';
export { cleanSql } from './prompts/clean-sql.ts';
export * from './prompts/prompt-sections.ts';
export { resultView, VIEW_LIMITS } from './prompts/result-view.ts';
export { ASK_BACKS, type AskBack } from './question/ask-back.ts';
export * from './question/catalog-source.ts';
export * from './question/flow-spec.ts';
export type * from './question/outcome-parts.ts';
export type * from './question/question-deps.ts';
export * from './question/question-input.ts';
export * from './question/question-state.ts';
export { acceptOutput } from './steps/accept-output.ts';
export { callModel, requireModel } from './steps/call-model.ts';
export { DEBUG_SQL_TASK_ID, type ExecutionOutcome, executeSql } from './steps/execute-sql.ts';
export { getSchema, type SchemaFound, type SchemaQuestion } from './steps/get-schema.ts';
export type { AlignedStatement } from './steps/read-as.ts';
export { schemaOfRelations } from './steps/schema-of-relations.ts';
export { isRefusal, statementError, type ViewedResult, viewResultOf } from './steps/view-result.ts';
export { type ReadingsToWeigh, type WeighedReading, weighReadings } from './steps/weigh-readings.ts';
export * from './summary/summarize.ts';
export type * from './summary/summary.ts';
export { type AnswerSummaryInput, answerSummaryTask } from './summary/tasks/answer-summary.ts';
export type * from './text2sql.ts';
export * from './text2sql-options.ts';
export * from './vote/decide-vote.ts';
export * from './vote/describe-difference.ts';
export { questionConformity } from './vote/question-conformity.ts';
export { type ImplausibleReason, implausibleReasons, resultProfile } from './vote/result-profile.ts';
export type { CandidateConformity, VoteCandidate, VoteDoubt } from './vote/vote-candidate.ts';
export {
  type TieBreak,
  VOTE_PRESETS,
  type VoteFactors,
  type VoteOptions,
  type VotePreset,
  type VoteRules,
} from './vote/vote-options.ts';
