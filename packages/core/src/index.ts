export {
  type Access,
  type Adapter,
  type AdapterSpec,
  type EngineRead,
  type ExecuteOptions,
  type IntrospectOptions,
  type Introspector,
  type Planner,
  type PlanOptions,
  type PlanVerdict,
  QUERY_DEFAULTS,
  type QueryExecutor,
  type QueryOptions,
  type QueryResult,
  type ResultColumn,
  type ResultEnd,
  type ResultEvent,
  type SampleOptions,
  type SampleValues,
  type ScopeOptions,
  type ViewRead,
} from './adapter/adapter-spec.ts';
export { boundedRows, rowBytes } from './adapter/bounded-rows.ts';
export {
  type CallLimits,
  type CallLimitsOptions,
  raceSignal,
  startLimits,
  timeoutError,
} from './adapter/call-limits.ts';
export type { CatalogStamps, StampOptions } from './adapter/catalog-stamps.ts';
export { checkAccess, throwIfNotWritable } from './adapter/check-access.ts';
export { classifyError } from './adapter/classify-error.ts';
export type { AddressRequest, OpenAddress } from './adapter/database-address.ts';
export type { Diagnose, DiagnoseOptions, Diagnosis, DiagnosisFinding, ReadOnlyStanding } from './adapter/diagnosis.ts';
export { parameterPlaceholder } from './adapter/parameter-placeholder.ts';
export { resolveAdapter } from './adapter/resolve-adapter.ts';
export { type RowStream, rowStream } from './adapter/row-stream.ts';
export { offsetAt, positionAt, statementError } from './adapter/statement-error.ts';

export { type AgentTool, defineTool } from './agents/agent-tool.ts';
export type { ChatMessage, ChatToolCall } from './agents/chat-message.ts';
export { renderConversation, visibleMessages } from './agents/chat-message.ts';
export { type ChatState, startChat } from './agents/chat-state.ts';
export { type ChatEnd, createGroupChat, createNestedChat, type NestedChat } from './agents/group-chat.ts';
export { feedbackSummary, messageMatrix } from './agents/message-matrix.ts';
export { renderProfile, withoutRoles } from './agents/render-profile.ts';
export type { RoleId, RoleProfile } from './agents/role-profile.ts';
export { solveWithTools } from './agents/solve-with-tools.ts';
export { defineSpeaker, type Said, type Speaker } from './agents/speaker.ts';
export { type ToolProgress, type ToolTurn, toolMessages, toolTurnOutput } from './agents/tool-turn.ts';

export {
  buildCatalog,
  type CatalogDraft,
  type DraftAttribute,
  type DraftForeignKey,
  type DraftRelation,
} from './catalog/build-catalog.ts';
export type {
  AttributeInfo,
  Catalog,
  CatalogGap,
  CatalogTag,
  InferredKeyEvidence,
  KeyStanding,
  NestedField,
  RelationInfo,
  RelationKind,
  TableFamily,
} from './catalog/catalog.ts';
export { finishCatalog } from './catalog/finish-catalog.ts';
export { createNameFilter } from './catalog/name-filter.ts';

export { type CallContext, type CallEvent, createCallContext } from './context/call-context.ts';

export { castType } from './dialect/cast-type.ts';
export type {
  CalendarTraits,
  CalendarUnit,
  ComparisonTraits,
  DdlTraits,
  Dialect,
  ErrorRule,
  ForeignSyntax,
  FormTraits,
  FunctionTraits,
  Grammar,
  ScopeClause,
  ScopeTraits,
  TypeTraits,
} from './dialect/dialect.ts';
export { fillProbe } from './dialect/fill-probe.ts';
export type { IdentifierTraits, LexerTraits, StatementTraits } from './dialect/lexer-traits.ts';
export { logicalType } from './dialect/logical-type.ts';
export { qualifiedName, quoteIdentifier, quoteIfNeeded, quoteString } from './dialect/quote-name.ts';
export type { RunStatements } from './dialect/run-statements.ts';

export {
  AskemaError,
  abortedError,
  type ErrorDetails,
  isAskemaError,
  isSerializedError,
  type SerializedError,
  throwIfAborted,
  toAskemaError,
} from './errors/askema-error.ts';
export { certificateProblem } from './errors/certificate-problem.ts';
export {
  checkChoice,
  checkNames,
  checkNumber,
  checkText,
  checkTimer,
  checkWhole,
  decodePart,
  invalidOption,
} from './errors/check-option.ts';
export type { ErrorClass, ErrorCode } from './errors/error-code.ts';
export { didYouMean, didYouMeanOneOf, nearestNames } from './errors/nearest-names.ts';
export { redactSecrets } from './errors/redact-secrets.ts';

export { iterateEvents } from './events/iterate-events.ts';
export type { EventSink, RunEvent } from './events/run-event.ts';

export { createFlow, type FlowBuilder } from './flow/create-flow.ts';
export { defineBatchStep, defineStep } from './flow/define-step.ts';
export type { Flow, FlowResult, FlowSteps, RunOptions } from './flow/flow.ts';
export type { FlowGraph } from './flow/flow-graph.ts';
export { inProcessRunner } from './flow/in-process-runner.ts';
export {
  chooseRunIds,
  type Journal,
  type JournalEntry,
  journalInvalid,
  journalLocked,
  parseJournalEntry,
  type RunIdsOptions,
  type RunJournal,
} from './flow/journal.ts';
export { memoryJournal } from './flow/memory-journal.ts';
export type { EndedItem, ParallelFlow } from './flow/parallel-flow.ts';
export { type EndTarget, end, type FinalActions } from './flow/routes.ts';
export { createRunLife, type LiveRun, type RunEnd } from './flow/run-life.ts';
export {
  type JobContext,
  type JobHandle,
  type Jobs,
  otherInputError,
  type Runner,
  unknownJobError,
} from './flow/runner.ts';
export type { Step, StepContext } from './flow/step.ts';
export { type Budget, type BudgetOptions, createBudget, isBudget } from './model/budget.ts';
export type { EmbeddingModel } from './model/embedding-model.ts';
export {
  assistantMessage,
  type FinishReason,
  isLanguageModel,
  type JsonSchema,
  type LanguageModel,
  type Message,
  type ModelCapabilities,
  type ModelRequest,
  type ModelResult,
  type Part,
  type ReasoningPart,
  type StreamEvent,
  systemMessage,
  type TextPart,
  type ToolCallPart,
  type ToolDefinition,
  type ToolResultPart,
  textOf,
  userMessage,
  type VendorData,
  type VendorPart,
} from './model/language-model.ts';
export { type CacheStore, memoryCache } from './model/memory-cache.ts';

export { type BatchedEmbedding, type Embedded, embedInBatches } from './model/provider/embed-in-batches.ts';
export type { FailureRule } from './model/provider/failure-rule.ts';
export { lazyClient, loadPeer, patientFetch } from './model/provider/lazy-client.ts';
export { mergeBody } from './model/provider/merge-body.ts';
export { type VendorFailure, VendorFailureError } from './model/provider/model-failure.ts';
export { type TraitRow, traitsOf } from './model/provider/model-traits.ts';
export { checkServerSettings, chooseApiKey } from './model/provider/provider-options.ts';
export { readVectors } from './model/provider/read-vectors.ts';
export { rewriteSchema } from './model/provider/rewrite-schema.ts';
export { runCall, runStream } from './model/provider/run-call.ts';
export { sdkRequestOptions } from './model/provider/sdk-request-options.ts';
export { toolArguments } from './model/provider/tool-arguments.ts';

export { createRateLimit, type RateLimit } from './model/rate-limit.ts';
export { memoryRecordings, type Recording, type RecordingStore } from './model/recording.ts';
export { requestKey } from './model/request-key.ts';
export { costOfUsage, findPrice, type TokenPrice, type TokenPrices } from './model/token-price.ts';
export { addUsage, reportedUsage, UNKNOWN_USAGE, type Usage } from './model/usage.ts';
export { withBudget } from './model/with-budget.ts';
export { withCache } from './model/with-cache.ts';
export { type ModelDefaults, withDefaults } from './model/with-defaults.ts';
export { withEvents } from './model/with-events.ts';
export { withFallback } from './model/with-fallback.ts';
export { withRateLimit } from './model/with-rate-limit.ts';
export { withRecording } from './model/with-recording.ts';
export { withEmbeddingRetry, withRetry } from './model/with-retry.ts';
export { modelName, wrapModel } from './model/wrap-model.ts';
export {
  type AnswerSignals,
  type ConfidenceTable,
  confidenceOf,
  readConfidenceTable,
} from './outcome/confidence-table.ts';
export {
  type Edit,
  FINDING_CODES,
  type FindingCode,
  type Fix,
  type InspectionFinding,
  type NearCell,
  type Severity,
} from './outcome/finding.ts';
export type { Candidate, InspectionRecord, KnowledgeBasis, Outcome, OutcomeBase } from './outcome/outcome.ts';

export {
  COMPRESSIONS,
  type CompressedCatalog,
  type Compression,
  type CompressOptions,
  type Compressor,
} from './ports/compressor.ts';
export { countTokensRoughly } from './ports/count-tokens-roughly.ts';
export type { Cte, CteParser, CteSplit } from './ports/cte-parser.ts';
export type {
  ColumnProfile,
  ExploredCatalog,
  ExploreOptions,
  Explorer,
  JoinProfile,
  ReadyProbe,
  ReadyProbeOptions,
} from './ports/explorer.ts';
export type { Clock, Logger, Random, Runtime, Sleep } from './ports/runtime.ts';
export { systemRuntime } from './ports/system-runtime.ts';
export type { ValueIndex, ValueMatch, ValueQuery } from './ports/value-index.ts';

export {
  GENERATE_SQL_TASK_ID,
  type GenerateSqlInput,
  type GenerateSqlOutput,
  generateSqlOutput,
} from './question/generate-sql.ts';
export type {
  ComputedPart,
  DatabaseKnowledge,
  ExpandedStatement,
  KnowledgeAnswer,
  KnowledgeQuestion,
  KnowledgeSource,
  SelectedEntry,
  SelectedKnowledge,
  SelectKnowledgeOptions,
  StatementOfQuestion,
} from './question/knowledge-source.ts';
export { type SqlAnswer, sqlSolver } from './question/sql-solver.ts';

export { type ComparableResult, comparedCell, type NumericTolerance } from './results/cell-equality.ts';
export type { ColumnOrder } from './results/column-permutation.ts';
export { compareResults } from './results/compare-results.ts';
export {
  OFFICIAL_VOTE_TOLERANCE,
  type OfficialTable,
  officialTable,
  officialTablesAgree,
} from './results/official-equality.ts';
export { type ResultRelation, relateResults } from './results/relate-results.ts';
export { resultSignature } from './results/result-signature.ts';
export { type AgreementKey, type AgreementOptions, resultsAgree } from './results/results-agree.ts';

export type { JoinPath, JoinStep } from './schema/join-path.ts';
export { referencedFirst } from './schema/referenced-first.ts';
export {
  type Attribute,
  type AttributeId,
  DATA_TYPES,
  type DataType,
  type DomainConstraint,
  EMPTY_SCHEMA,
  type ForeignKey,
  type ForeignKeyId,
  type PrimaryKey,
  type Relation,
  type RelationId,
  type Schema,
} from './schema/schema.ts';
export type { SchemaBreach, SchemaRule } from './schema/schema-breach.ts';
export {
  attributeId,
  foldName,
  foreignKeyId,
  type NameComparison,
  type NameParts,
  relationId,
  relationNameParts,
} from './schema/schema-id.ts';
export { indexSchema, type SchemaIndex } from './schema/schema-index.ts';
export { validateSchema } from './schema/validate-schema.ts';

export { defineTask } from './task/define-task.ts';
export { FENCE_NOTE, fence } from './task/fence.ts';
export { fromModel } from './task/from-model.ts';

export { jsonSchemaOf } from './task/structured/json-schema-of.ts';
export { parseStructured } from './task/structured/parse-structured.ts';
export { type PlainField, type PlainOutput, type PlainValue, plainOutput } from './task/structured/plain-output.ts';

export type { Solved, Solver, Task } from './task/task.ts';

export { oneLine } from './text/one-line.ts';
export { shortened } from './text/shortened.ts';
export type { Span } from './text/span.ts';

export { decodeValue, encodeValue } from './values/encode-value.ts';
export { parseExactJson } from './values/parse-exact-json.ts';
export type { JsonValue, Parameter, Row, Value } from './values/value.ts';
