export { bareArgument } from './call-types.ts';
export * from './query-facts.ts';
export { type ResolveQueryOptions, resolveQuery } from './resolve-query.ts';
