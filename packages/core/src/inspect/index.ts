export { applyFixes } from './apply-fixes.ts';
export { defineRule } from './define-rule.ts';
export * from './finding.ts';
export { findingsInOrder, withSeverities } from './finding-severities.ts';
export { checkRule, type Inspection, type InspectSqlOptions, inspectSql } from './inspect-sql.ts';
// What rules of users need; the built-in ones read more.
export {
  aggregatesOf,
  attributeName,
  conjuncts,
  isSameName,
  isUniqueIn,
  originOf,
  type ResolveQueryOptions,
  relationLabel,
  relationName,
  resolveQuery,
  typeOfColumn,
  typeOfOperand,
} from './resolve/index.ts';
export type * from './resolved-query.ts';
export * from './rule.ts';
export { BUILT_IN_RULES } from './rules/built-in-rules.ts';
export * from './rules/user-rules.ts';
export * from './values/index.ts';
