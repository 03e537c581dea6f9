import type { ErrorRule } from '@askema/core';

/**
 * From BigQuery's messages and reasons (https://cloud.google.com/bigquery/docs/error-messages; the reason is what
 * drivers give as code) to error classes; the first rule that matches wins. Nearly every mistake in a statement is an
 * `invalidQuery`, so that the message decides.
 */
export const BIGQUERY_ERRORS: readonly ErrorRule[] = [
  { pattern: 'unrecognized name: (?<name>[^;\\s]+)', errorClass: 'identifier' },
  { pattern: 'name (?<name>\\S+) not found inside', errorClass: 'identifier' },
  { pattern: 'field name (?<name>\\S+) does not exist in', errorClass: 'identifier' },
  { pattern: 'column name (?<name>\\S+) is ambiguous', errorClass: 'identifier' },
  { pattern: 'column (?<name>\\S+) in USING clause', errorClass: 'identifier' },
  { pattern: 'duplicate column names? .*?(?:found|allowed)', errorClass: 'identifier' },
  { pattern: 'invalid field: (?<name>[^;\\s]+)', errorClass: 'identifier' },
  { pattern: 'cannot (?:add|find) fields? \\(field: (?<name>[^)\\s]+)\\)', errorClass: 'identifier' },
  { pattern: 'field specified for \\w+ cannot be found', errorClass: 'identifier' },
  { pattern: 'invalid (?:dataset|table|project) id "(?<name>[^"]+)"', errorClass: 'identifier' },
  { pattern: 'not found: (?:table|dataset|project|model|routine) (?<name>\\S+)', errorClass: 'identifier' },
  { pattern: 'table "?(?<name>[^\\s"]+)"? must be qualified with a dataset', errorClass: 'identifier' },
  { pattern: 'table-valued function not found: (?<name>[^;\\s]+)', errorClass: 'function' },
  { pattern: 'function not found: (?<name>[^;\\s]+)', errorClass: 'function' },
  {
    pattern: 'number of arguments does not match for (?:aggregate |analytic )?function:? (?<name>\\S+)',
    errorClass: 'function',
  },
  {
    pattern:
      '(?:aggregate|analytic|window) functions? (?<name>\\S+)?.*not (?:allowed|supported)|aggregations of aggregations',
    errorClass: 'function',
  },
  {
    pattern:
      'no matching signature for|could not cast|invalid cast|bad (?:int64|double|bool|numeric) value|invalid (?:date|datetime|time|timestamp)\\b|failed to parse input|could not parse|values referenced in UNNEST must be arrays|cannot access field|division by zero|out of range|overflow|is not defined for arguments|must be coercible|is not a finite|invalid value|is not a valid value|invalid time ?zone|from an empty array|element of an empty array|collation .{1,100} is not supported',
    errorClass: 'type',
  },
  {
    pattern:
      'syntax error|neither grouped nor aggregated|not parsable|correlated subqueries that reference other tables|scalar subquery produced more|order by clause expression references|missing whitespace|unclosed|expected end of input|LIKE pattern ends',
    errorClass: 'syntax',
  },
  { pattern: ' at \\S+\\([^)]{0,200}\\) line \\d+, column', errorClass: 'function' },
  { pattern: 'access denied|does not have .* permission|permission denied', errorClass: 'permission' },
  { vendorCode: 'duplicate', errorClass: 'constraint' },
  { vendorCode: 'resourceInUse', errorClass: 'constraint' },
  { vendorCode: 'accessDenied', errorClass: 'permission' },
  { vendorCode: 'notFound', errorClass: 'identifier' },
  { pattern: 'timed out|query exceeded (?:the )?(?:time|resource) limit|job timed out', errorClass: 'timeout' },
  { vendorCode: 'timeout', errorClass: 'timeout' },
  { vendorCode: 'resourcesExceeded', errorClass: 'timeout' },
  { vendorCode: 'stopped', errorClass: 'timeout' },
  { vendorCode: 'invalidQuery', errorClass: 'syntax' },
];
