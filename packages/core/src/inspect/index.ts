export * from './finding.ts';
export * from './resolve/index.ts';
export type * from './resolved-query.ts';
export * from './rule.ts';
