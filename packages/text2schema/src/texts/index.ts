export * from './report-text.ts';
export * from './schema-text.ts';
export * from './test-text.ts';
