export { type BindOptions, bindKnowledge } from './bind/bind-knowledge.ts';
export type {
  BoundDataset,
  BoundField,
  BoundKnowledge,
  BoundRelationship,
  SourceColumn,
} from './bind/bound-knowledge.ts';
export { compileMetrics } from './compile/compile-metrics.ts';
export { expandMetrics } from './compile/expand-metrics.ts';
export type { CompiledColumn, CompiledMetrics, GroupField, MetricRequest } from './compile/metric-request.ts';
export type { Exported, Imported, Loss, TextFile } from './formats/conversion.ts';
export { type OssieFile, type ReadOssieOptions, readOssie } from './formats/ossie/read-ossie.ts';
export { writeOssie } from './formats/ossie/write-ossie.ts';
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
export {
  type AiContext,
  type Dataset,
  type DialectExpression,
  type EnumValue,
  type Extension,
  type Field,
  type FieldType,
  type Metric,
  type NamedFilter,
  type Relationship,
  type SemanticModel,
  TIME_GRAINS,
  type TimeGrain,
  type TimeSpine,
} from './model/semantic-model.ts';
export type { KnowledgeState, Place, Standing } from './model/standing.ts';
