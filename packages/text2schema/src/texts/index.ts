export * from './findings-text.ts';
export * from './model-text.ts';
export * from './proposal-text.ts';
export * from './report-text.ts';
export * from './schema-text.ts';
export * from './test-text.ts';
