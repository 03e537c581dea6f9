export { type BindOptions, bindKnowledge } from './bind/bind-knowledge.ts';
export type {
  BoundDataset,
  BoundField,
  BoundKnowledge,
  BoundRelationship,
  SourceColumn,
} from './bind/bound-knowledge.ts';
export { expandNames } from './bind/expand-names.ts';
export { checkKnowledge } from './check/check-knowledge.ts';
export { checkToJunit } from './check/check-to-junit.ts';
export { checkExitCode, formatCheck } from './check/format-check.ts';
export type {
  CheckedEntry,
  CheckKnowledgeOptions,
  KnowledgeCheck,
  SkippedCheck,
} from './check/knowledge-check.ts';
export { resultHash } from './check/result-hash.ts';
export { compileMetrics } from './compile/compile-metrics.ts';
export { expandMetrics } from './compile/expand-metrics.ts';
export type { CompiledColumn, CompiledMetrics, GroupField, MetricRequest } from './compile/metric-request.ts';
export { type DraftKnowledgeOptions, draftKnowledge } from './draft/draft-knowledge.ts';
export { acceptEntry } from './folder/accept-entry.ts';
export { type KnowledgeChecks, readChecks, writeChecks } from './folder/checks.ts';
export { diffEntries, type EntryDifference, type PartDifference } from './folder/diff-entries.ts';
export { knowledgeSchemas } from './folder/knowledge-schemas.ts';
export type { LoadKnowledgeOptions } from './folder/layout.ts';
export { loadKnowledge } from './folder/load-knowledge.ts';
export type { ModelEntry } from './folder/model-document.ts';
export { putEntry, type WrittenEntry } from './folder/put-entry.ts';
export { takeProposals } from './folder/take-proposals.ts';
export { type UsableKnowledge, usableKnowledge } from './folder/usable-knowledge.ts';
export { writeProposals } from './folder/write-proposals.ts';
export type { Exported, Imported, KnowledgeFormat, Loss, ReadFormatOptions, TextFile } from './formats/conversion.ts';
export { exportDbt } from './formats/dbt/export/export-dbt.ts';
export { importDbt } from './formats/dbt/import/import-dbt.ts';
export { formatOfFiles, KNOWLEDGE_FORMATS } from './formats/knowledge-formats.ts';
export { type OssieFile, type ReadOssieOptions, readOssie } from './formats/ossie/read-ossie.ts';
export { writeOssie } from './formats/ossie/write-ossie.ts';
export { exportSnowflake } from './formats/snowflake/export-snowflake.ts';
export { importSnowflake } from './formats/snowflake/import-snowflake.ts';
export { importWren } from './formats/wren/import-wren.ts';
export { type Corrected, type CorrectOptions, correct } from './learn/correct.ts';
export {
  type AnswerDifference,
  type AnswerDifferences,
  type DiffAnswersOptions,
  diffAnswers,
} from './learn/diff-answers.ts';
export type { MetricDifference } from './learn/diff-metrics.ts';
export { type ForgetOptions, type Forgotten, forget } from './learn/forget.ts';
export type { CorrectionModel } from './learn/learn-metric.ts';
export { type Remembered, type RememberOptions, remember } from './learn/remember.ts';
export { LOG_FILES, readLog } from './mine/log/read-log.ts';
export { type ServerStatementsOptions, serverStatements } from './mine/log/server-statements.ts';
export type { LoggedStatement, MineLimits, SkipReason } from './mine/logged-statement.ts';
export { type MineOptions, mineKnowledge } from './mine/mine-knowledge.ts';
export type { MinedKnowledge, MinedProposal, WithheldReason } from './mine/mined-knowledge.ts';
export type { KnowledgeEntry } from './model/entries.ts';
export {
  type EntryKind,
  entryId,
  type Knowledge,
  type KnowledgeProblem,
  type KnowledgeSettings,
  type KnowledgeText,
  type QueryParameter,
  type VerifiedQuery,
} from './model/knowledge.ts';
export { type ListedEntry, listEntries } from './model/list-entries.ts';
export type {
  Aggregate,
  Cumulative,
  Derived,
  MetricDefinition,
  MetricInput,
  NonAdditive,
  Ratio,
  TimeWindow,
} from './model/metric-definition.ts';
export type {
  AiContext,
  Dataset,
  DialectExpression,
  EnumValue,
  Extension,
  Field,
  FieldType,
  Metric,
  NamedFilter,
  Relationship,
  SemanticModel,
  TimeGrain,
  TimeSpine,
} from './model/semantic-model.ts';
export type { KnowledgeState, Place, Standing } from './model/standing.ts';
export { type ReadQuestion, type ReadQuestionOptions, readMetricQuestion } from './reader/read-metric-question.ts';
export { type SelectedKnowledge, type SelectKnowledgeOptions, selectKnowledge } from './select/select-knowledge.ts';
export type { SelectedItem } from './select/selection.ts';
export { knowledgeSolver } from './solve/knowledge-solver.ts';
export { type CreateKnowledgeOptions, createKnowledge } from './use/create-knowledge.ts';
export {
  type FindVerifiedOptions,
  type FoundVerified,
  findVerified,
  type UnusedQuery,
} from './verified/find-verified.ts';
