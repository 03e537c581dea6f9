export * from './conceptual/index.ts';
export * from './create-text2schema.ts';
export * from './diagram/index.ts';
export * from './mapping/index.ts';
export * from './model/index.ts';
export * from './report/index.ts';
export * from './tests/index.ts';
export type * from './text2schema-options.ts';
