export * from './dataset.ts';
export * from './evaluation-options.ts';
export * from './format-summary.ts';
export * from './load-dataset.ts';
export * from './run-evaluation.ts';
