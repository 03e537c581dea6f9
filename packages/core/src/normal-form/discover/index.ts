export { type CodedColumn, type CodedRows, codeRows, NULL_CODE } from './coded-rows.ts';
export type { CounterExample } from './count-violations.ts';
export { discoverDependencies } from './discover-dependencies.ts';
export * from './discovery.ts';
export { findUniqueSets, type UniqueSets } from './unique-sets.ts';
