export { formatComparison } from './format-comparison.ts';
export * from './render-report.ts';
