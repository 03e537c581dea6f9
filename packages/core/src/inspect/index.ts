export * from './finding.ts';
// All but `textOf`: the name stands for the text of a message elsewhere.
export {
  aggregatesOf,
  attributeName,
  bareArgument,
  columnAt,
  conjuncts,
  isSameName,
  isUniqueIn,
  originOf,
  type ResolveQueryOptions,
  relationAt,
  relationLabel,
  relationName,
  resolveQuery,
  typeOfCall,
  typeOfColumn,
  typeOfOperand,
} from './resolve/index.ts';
export type * from './resolved-query.ts';
export * from './rule.ts';
export * from './values/index.ts';
