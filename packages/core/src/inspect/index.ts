export { applyFixes, spliceEdits } from './apply-fixes.ts';
export { defineRule } from './define-rule.ts';
export * from './finding.ts';
export { checkRule, type Inspection, type InspectSqlOptions, inspectSql } from './inspect-sql.ts';
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
export { BUILT_IN_RULES } from './rules/built-in-rules.ts';
export * from './rules/user-rules.ts';
export * from './values/index.ts';
