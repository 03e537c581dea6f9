export { checkCatalog } from './check/check-catalog.ts';
export { checkDatabase } from './check/check-database.ts';
export type {
  CheckCode,
  CheckFinding,
  DatabaseCheck,
  EvidenceCell,
  IfRules,
  Inclusion,
  RowCheck,
  SuspectedDependency,
  TableCheck,
} from './check/check-finding.ts';
export { CHECK_DEFAULTS, type CheckOptions } from './check/check-options.ts';

export { applyFixes, checkSeverities, type FixedSql, findingsInOrder, withSeverities } from './inspect/findings.ts';
export { type Inspection, type InspectSqlOptions, inspectSql } from './inspect/inspect-sql.ts';

export {
  aggregatesOf,
  attributeName,
  conjuncts,
  isUniqueIn,
  originOf,
  relationLabel,
  relationName,
  typeOfColumn,
  typeOfOperand,
} from './resolve/query-facts.ts';
export { type ResolveQueryOptions, resolveQuery } from './resolve/resolve-query.ts';
export type {
  OutputColumn,
  ResolvedBlock,
  ResolvedColumn,
  ResolvedQuery,
  ResolvedRelation,
} from './resolve/resolved-query.ts';
export { restrict } from './restrict/restrict.ts';
export type { RestrictOptions } from './restrict/restriction.ts';

export { BUILT_IN_RULES } from './rules/built-in-rules.ts';
export { defineRule, type InspectionRule, type RuleFinding } from './rules/rule.ts';
export {
  type RequiredFilter,
  type RequireFilterOptions,
  type RequireFormatOptions,
  requireFilter,
  requireFormat,
} from './rules/user-rules.ts';

export { type AlignedSql, type AlignValuesOptions, alignValues, type ReadAs } from './values/align-values.ts';
export { type InspectValuesOptions, inspectValues } from './values/inspect-values.ts';
