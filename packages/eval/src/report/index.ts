export { formatComparison } from './format-comparison.ts';
export { renderReport, writeReport } from './render-report.ts';
export type { ReportFormat, ReportInput, ReportOptions } from './report-options.ts';
