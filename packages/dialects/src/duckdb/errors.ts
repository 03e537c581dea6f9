import type { ErrorRule } from '@askema/core';

/**
 * From DuckDB's messages to error classes, as the engine (1.5) writes them; the first rule that matches wins. A message
 * begins with its kind (`Binder Error: …`), which drivers may give as a code instead (`exception_type`): both are read.
 */
export const DUCKDB_ERRORS: readonly ErrorRule[] = [
  { pattern: '"(?<name>[^"]+)" does not exist because (?:schema|catalog)', errorClass: 'identifier' },
  { pattern: 'function with name "?(?<name>[^\\s"]+)"? does not exist', errorClass: 'function' },
  { pattern: '(?<name>\\S+) is not an aggregate function', errorClass: 'function' },
  {
    pattern:
      '(?:table|view|column|type|collation|schema|sequence|index|macro|database|catalog|setting|entry) with name "?(?<name>[^"!]+?)"? (?:does not|already) exist',
    errorClass: 'identifier',
  },
  { pattern: 'unrecognized configuration parameter "(?<name>[^"]+)"', errorClass: 'identifier' },
  { pattern: 'referenced (?:column|table) "(?<name>[^"]+)"', errorClass: 'identifier' },
  { pattern: 'not have a column (?:named|with name) "(?<name>[^"]+)"', errorClass: 'identifier' },
  { pattern: 'ambiguous reference to (?:column name|table) "(?<name>[^"]+)"', errorClass: 'identifier' },
  { pattern: 'column "(?<name>[^"]+)" does not exist on', errorClass: 'identifier' },
  { pattern: 'candidate function for the function call "[^\\w"]', errorClass: 'type' },
  { pattern: "no function matches the given name and argument types '[^\\w']", errorClass: 'type' },
  { pattern: 'candidate function for the function call "(?<name>[^("]+)', errorClass: 'function' },
  { pattern: "no function matches the given name and argument types '(?<name>[^(']+)", errorClass: 'function' },
  { pattern: 'must appear in the GROUP BY clause', errorClass: 'syntax' },
  {
    pattern: 'cannot contain (?:aggregates|window functions)|calls cannot be nested|window function',
    errorClass: 'function',
  },
  { pattern: 'cannot compare values|explicit type cast|incompatible types|cannot mix values', errorClass: 'type' },
  { pattern: 'syntax error at or near "(?<name>.*)"', errorClass: 'syntax' },
  { pattern: 'more than one row returned by a subquery', errorClass: 'syntax' },
  { pattern: 'NOT NULL constraint failed: (?<name>\\S+)', errorClass: 'constraint' },
  { pattern: '^Constraint Error|violates (?:unique|primary key|foreign key)', errorClass: 'constraint' },
  { vendorCode: 'Constraint', errorClass: 'constraint' },
  {
    pattern:
      '(?:read-only mode|configuration has been locked|disabled by configuration|can only (?:delete from|update) base table|can only insert into tables)',
    errorClass: 'permission',
  },
  { pattern: '^Permission Error', errorClass: 'permission' },
  { vendorCode: 'Permission', errorClass: 'permission' },
  { pattern: '^INTERRUPT Error|^interrupted', errorClass: 'timeout' },
  { vendorCode: 'INTERRUPT', errorClass: 'timeout' },
  { pattern: '^(?:Conversion|Mismatch Type|Out of Range|Invalid Input|Invalid Type) Error', errorClass: 'type' },
  { vendorCode: 'Conversion', errorClass: 'type' },
  { vendorCode: 'Mismatch Type', errorClass: 'type' },
  { vendorCode: 'Out of Range', errorClass: 'type' },
  { vendorCode: 'Invalid Input', errorClass: 'type' },
  { vendorCode: 'Invalid Type', errorClass: 'type' },
  { pattern: '^(?:Parser|Binder|Syntax|Not implemented) Error', errorClass: 'syntax' },
  { vendorCode: 'Parser', errorClass: 'syntax' },
  { vendorCode: 'Binder', errorClass: 'syntax' },
  { vendorCode: 'Not implemented', errorClass: 'syntax' },
  { pattern: '^Catalog Error', errorClass: 'identifier' },
  { vendorCode: 'Catalog', errorClass: 'identifier' },
];
