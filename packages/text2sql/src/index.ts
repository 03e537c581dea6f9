export * from './create-text2sql.ts';
export * from './text2sql-deps.ts';
export * from './text2sql-options.ts';
export * from './text2sql-state.ts';
