export { type DesignReportOptions, writeDesignReport } from './write-design-report.ts';
