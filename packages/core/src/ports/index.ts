export * from './count-tokens-roughly.ts';
export * from './embedding-model.ts';
export * from './query-shape.ts';
export * from './runtime.ts';
export * from './sql-parser.ts';
export * from './system-runtime.ts';
export * from './value-index.ts';
