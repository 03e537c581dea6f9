export * from './finding.ts';
export type * from './resolved-query.ts';
export * from './rule.ts';
