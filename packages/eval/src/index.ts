export { type ComparableResult, comparedCell, DEFAULT_TOLERANCE, type NumericTolerance } from '@askema/core';
export { costOf } from './cost-of.ts';
export * from './dataset.ts';
export * from './evaluation-options.ts';
export * from './execution-match.ts';
export * from './format-summary.ts';
export * from './load-dataset.ts';
export * from './run-evaluation.ts';
export { selectQuestions } from './select-questions.ts';
