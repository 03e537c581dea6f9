export { bareArgument } from './call-types.ts';
export {
  aggregatesOf,
  attributeName,
  columnAt,
  conjuncts,
  isSameName,
  isUniqueIn,
  originOf,
  relationAt,
  relationLabel,
  relationName,
  typeOfCall,
  typeOfColumn,
  typeOfOperand,
} from './query-facts.ts';
export { type ResolveQueryOptions, resolveQuery } from './resolve-query.ts';
