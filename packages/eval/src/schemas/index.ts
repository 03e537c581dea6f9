export {
  type ComparedForeignKey,
  type ComparedRelation,
  type ComparedSchema,
  comparedSchemaOf,
} from './compared-schema.ts';
export * from './create-scorers.ts';
export type { FeedbackStatistics, TotalMatrix } from './design-feedback.ts';
export * from './design-result.ts';
export type { DesignSummary, JudgeSummary, Remark, ScorerSummary, SizeGroup } from './design-summary.ts';
export * from './evaluate-designs.ts';
export * from './format-design-summary.ts';
export * from './judge-design.ts';
export * from './judge-schema.ts';
export { loadSchemaDataset } from './load-schema-dataset.ts';
export type { Synonyms } from './name-likeness.ts';
export * from './name-ports.ts';
export * from './schema-dataset.ts';
export * from './schema-score.ts';
export type { SchemaScorer } from './schema-scorer.ts';
export { scoreAuthors } from './score-authors.ts';
export * from './score-gold.ts';
export { scorePaper } from './score-paper.ts';
export { type StrictOptions, scoreStrict } from './score-strict.ts';
export * from './wordnet.ts';
