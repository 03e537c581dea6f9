export { loadVerdicts, type Verdicts, type VerdictValue } from './agreement/load-verdicts.ts';
export {
  type AgreementReport,
  formatAgreement,
  measureAgreement,
  type VerdictAgreement,
} from './agreement/measure-agreement.ts';
export type {
  BatchContext,
  BatchItem,
  BatchJobs,
  BatchOptions,
  BatchProgress,
  BatchResult,
  BatchSummary,
} from './batch/batch-options.ts';
export { readBatch, runBatch } from './batch/run-batch.ts';
export {
  type CalibrateOptions,
  type Calibration,
  type ConfidenceCalibration,
  type CoveragePoint,
  calibrate,
  type ReliabilityBin,
  type SureGroup,
} from './calibration/calibrate.ts';
export { type FitConfidenceOptions, type FittedConfidence, fitConfidence } from './calibration/fit-confidence.ts';
export { compareRuns } from './compare/compare-runs.ts';
export { readRun, type StoredRun } from './compare/read-run.ts';
export type {
  ComparedRun,
  CompareOptions,
  PairedCost,
  PairedGroup,
  PairedMetric,
  PairedQuestion,
  RunComparison,
} from './compare/run-comparison.ts';
export {
  DATASET_FORMATS,
  type DatasetFormat,
  type DatasetFormatDescription,
  describeFormats,
  readDatasetFormat,
} from './datasets/dataset-formats.ts';
export { leaveOut } from './datasets/leave-out.ts';
export { type LoadDatasetOptions, loadDataset } from './datasets/load-dataset.ts';
export { databaseIdProblem, databasePathProblem } from './datasets/read/database-id.ts';
export type {
  Dataset,
  DatasetDatabase,
  DatasetProblem,
  DatasetQuestion,
  GoldResult,
  LeftOut,
  OfficialRule,
  OfficialSet,
} from './datasets/read/dataset.ts';
export { type QuestionSelection, selectQuestions } from './datasets/select-questions.ts';
export {
  CERTAINTIES,
  type Certainty,
  EXPECTATION_KINDS,
  EXPECTATION_VERDICTS,
  type Expectation,
  type ExpectationKind,
  type ExpectationsLine,
  type ExpectationVerdict,
  type VerdictsLine,
} from './expectations/expectation.ts';
export {
  type DesignExpectations,
  type ExpectationDifference,
  type ExpectationReport,
  type ExpectationShare,
  type PairedExpectations,
  reportExpectations,
} from './expectations/expectation-report.ts';
export { type ExpectationsSummary, formatExpectationsSummary } from './expectations/expectations-summary.ts';
export type { LinesProgress } from './expectations/fill-lines.ts';
export { formatExpectationReport } from './expectations/format-expectation-report.ts';
export {
  type JudgedDesigns,
  type JudgeExpectationsOptions,
  judgeExpectations,
} from './expectations/judge-expectations.ts';
export {
  type ExpectationsModel,
  type ListExpectationsOptions,
  listExpectations,
} from './expectations/list-expectations.ts';
export { birdEx } from './metrics/bird-ex.ts';
export { birdSoftF1 } from './metrics/bird-soft-f1.ts';
export { type ExecutionMatch, type ExecutionMatchOptions, executionMatch } from './metrics/execution-match.ts';
export { executionMatchMetric } from './metrics/execution-match-metric.ts';
export { hashResult } from './metrics/hash-result.ts';
export type { Metric, MetricInput } from './metrics/metric.ts';
export { findMetric, METRICS } from './metrics/metrics.ts';
export { type PandasColumn, type PandasTable, readPandasCsv } from './metrics/pandas-csv.ts';
export { spiderExactMatch } from './metrics/spider-exact-match.ts';
export { scoreSpider2, spider2Metric, spider2StrictMetric } from './metrics/spider2-metric.ts';
export { splitCsv } from './metrics/split-csv.ts';
export { testSuiteAccuracy } from './metrics/test-suite-accuracy.ts';
export { validSql } from './metrics/valid-sql.ts';
export {
  type BuildMismatchOptions,
  buildMismatch,
  type MismatchSet,
  type MissingValue,
} from './mismatch/build-mismatch.ts';
export { REVIEW_STATES, type ReviewItem } from './mismatch/review-file.ts';
export { MISMATCH_KINDS, type MismatchKind } from './mismatch/vary-value.ts';
export {
  loadPredictions,
  type Prediction,
  type PredictionFormat,
  type Predictions,
} from './official/load-predictions.ts';
export { type ScorePredictionsOptions, scorePredictions } from './official/score-predictions.ts';
export type { ReportFormat, ReportInput, ReportOptions } from './report/figures/report-options.ts';
export { formatComparison, renderReport, writeReport } from './report/render-report.ts';
export { formatSummary } from './report/text/format-summary.ts';
export {
  type BuildRequirementsOptions,
  buildRequirements,
  type RequirementsModel,
  type RequirementsSummary,
} from './requirements/build-requirements.ts';
export {
  type DatasetStatistics,
  datasetStatistics,
  formatDatasetStatistics,
  type Share,
  type Spread,
} from './requirements/dataset-statistics.ts';
export { formatRequirementsSummary } from './requirements/format-requirements-summary.ts';
export { loadSchemaSources, type SchemaSource, type SchemaSources } from './requirements/load-schema-sources.ts';
export type { SampleState } from './requirements/requirement-sample.ts';
export { costOf, type EvaluationPrices } from './run/cost-of.ts';
export type { EvaluationJobs, EvaluationOptions, Pipeline } from './run/evaluation-options.ts';
export type {
  AccuracyAtMaximum,
  EvaluationGroup,
  EvaluationInspection,
  EvaluationProgress,
  EvaluationResult,
  EvaluationSummary,
  FailureSummary,
  InspectionSummary,
  LatencySummary,
  MetricSummary,
  OfficialSummary,
  Verdict,
  VerdictCounts,
} from './run/evaluation-result.ts';
export { type MergedRuns, type MergeRunsOptions, mergeRuns } from './run/merge-runs.ts';
export { writeNamedFile } from './run/replace-file.ts';
export { runEvaluation } from './run/run-evaluation.ts';
export { compareDesigns } from './schemas/compare/compare-designs.ts';
export type {
  CompareDesignsOptions,
  DesignComparison,
  Distribution,
  PairedDistribution,
  PairedRole,
  PairedScorer,
  PairedSize,
} from './schemas/compare/design-comparison.ts';
export { formatDesignComparison } from './schemas/compare/format-design-comparison.ts';
export { readDesignRun, type StoredDesignRun } from './schemas/compare/read-design-run.ts';
export {
  type ComparedForeignKey,
  type ComparedRelation,
  type ComparedSchema,
  comparedSchemaOf,
} from './schemas/compared-schema.ts';
export { createScorers, type ScorerPorts } from './schemas/create-scorers.ts';
export type {
  DdlRun,
  DesignCertificates,
  DesignEvaluationOptions,
  DesignJudge,
  DesignProgress,
  DesignResult,
} from './schemas/design-result.ts';
export type {
  DesignSummary,
  DesignTests,
  FeedbackStatistics,
  JudgeSummary,
  Remark,
  ScorerSummary,
  SizeGroup,
  TotalMatrix,
} from './schemas/design-summary.ts';
export { evaluateDesigns, type ScoreDesignsOptions, scoreDesigns } from './schemas/evaluate-designs.ts';
export { formatDesignSummary, formatScorers } from './schemas/format-design-summary.ts';
export {
  createDesignJudge,
  type DesignJudgement,
  type DesignJudgeOptions,
  type JudgeDimension,
} from './schemas/judge-design.ts';
export type { JudgeSchemaOutput } from './schemas/judge-schema.ts';
export {
  loadSchemaDataset,
  type SchemaDataset,
  type SchemaDefect,
  type SchemaDefectKind,
  type SchemaItem,
  type SchemaRowProblem,
  STRUCTURAL_DEFECTS,
} from './schemas/load-schema-dataset.ts';
export type { Synonyms } from './schemas/name-likeness.ts';
export { embedNames, type NamePorts, type NameSimilarity } from './schemas/name-ports.ts';
export {
  SCORER_NAMES,
  type SchemaMatch,
  type SchemaMetric,
  type SchemaScore,
  type SchemaScorer,
  type ScoredSchema,
  type ScorerName,
} from './schemas/schema-score.ts';
export { scoreAuthors } from './schemas/score-authors.ts';
export { type GoldScores, type ImperfectGold, scoreGold } from './schemas/score-gold.ts';
export { scorePaper } from './schemas/score-paper.ts';
export { type StrictOptions, scoreStrict } from './schemas/score-strict.ts';
export { openWordNet, type WordNetOptions } from './schemas/wordnet.ts';
export { type BootstrapOptions, bootstrapMean, bootstrapTest, pairedBootstrap } from './statistics/bootstrap.ts';
export { exactMcNemar, holmAdjust } from './statistics/p-values.ts';
export { quantile } from './statistics/quantile.ts';
export { type Estimate, type Interval, wilsonInterval } from './statistics/wilson-interval.ts';
