import type { ErrorRule } from '@askema/core';

/**
 * From SQLite's messages and result codes (https://sqlite.org/rescode.html) to error classes; the first rule that
 * matches wins. Most errors of a statement share the code SQLITE_ERROR, so that the message decides.
 */
export const SQLITE_ERRORS: readonly ErrorRule[] = [
  { pattern: '^no such column: "(?<name>.+?)" - should this be a string literal', errorClass: 'identifier' },
  {
    pattern:
      'no such (?:table|column|view|index|collation sequence|module|window|savepoint|trigger)s?(?: in .*)?: (?<name>.+)',
    errorClass: 'identifier',
  },
  { pattern: 'ambiguous column name: (?<name>.+)', errorClass: 'identifier' },
  { pattern: 'has no column named (?<name>.+)', errorClass: 'identifier' },
  { pattern: 'unknown database (?<name>.+)', errorClass: 'identifier' },
  { pattern: 'duplicate column name: (?<name>.+)', errorClass: 'identifier' },
  { pattern: 'unknown column "(?<name>.+)" in foreign key', errorClass: 'identifier' },
  { pattern: '(?:table|view|index|trigger) (?<name>.+) already exists', errorClass: 'identifier' },
  { pattern: 'duplicate WITH table name: (?<name>.+)|circular reference: .+', errorClass: 'identifier' },
  { pattern: 'cannot join using column (?<name>.+?) -', errorClass: 'identifier' },
  { pattern: 'no such (?:table-valued )?function: (?<name>.+)', errorClass: 'function' },
  { pattern: 'wrong number of arguments to function (?<name>[^(]+)', errorClass: 'function' },
  {
    pattern: 'misuse of (?:aliased )?(?:aggregate|window)(?: window)?(?: function)?:? ?(?<name>[^()\\s]+)?',
    errorClass: 'function',
  },
  { pattern: "'(?<name>.+)' is not a function", errorClass: 'function' },
  { pattern: '(?<name>\\S+)\\(\\) may not be used as a window function', errorClass: 'function' },
  { pattern: 'unable to use function (?<name>\\S+)', errorClass: 'function' },
  {
    pattern: '(?:DISTINCT|FILTER|ORDER BY)\\b.*(?:aggregate|window function|aggregates)',
    errorClass: 'function',
  },
  { pattern: 'near "(?<name>.*)": syntax error', errorClass: 'syntax' },
  { pattern: 'unrecognized token:? (?<name>.+)', errorClass: 'syntax' },
  {
    pattern:
      'incomplete input|SELECTs to the left and right|sub-select returns|row value misused|ORDER BY term|GROUP BY term|GROUP BY clause|HAVING clause|JOIN clause|ON clause|no tables specified|values for \\d+ columns|columns but \\d+ values|all VALUES must have|should come (?:after|before)|has \\d+ values for \\d+|IN\\(\\.\\.\\.\\) element',
    errorClass: 'syntax',
  },
  { vendorCode: 'SQLITE_CONSTRAINT_DATATYPE', errorClass: 'type' },
  {
    pattern:
      'datatype mismatch|integer overflow|malformed JSON|bad JSON path|JSON cannot hold|cannot store .+ value in .+ column',
    errorClass: 'type',
  },
  { pattern: '(?:UNIQUE|NOT NULL|PRIMARY KEY|CHECK) constraint failed: (?<name>.+)', errorClass: 'constraint' },
  { pattern: 'constraint failed|foreign key mismatch', errorClass: 'constraint' },
  { pattern: 'cannot (?:INSERT into|UPDATE) generated column "(?<name>.+)"', errorClass: 'constraint' },
  {
    pattern:
      'attempt to write a readonly database|not authorized|access to .+ is prohibited|may not be (?:modified|dropped|altered)',
    errorClass: 'permission',
  },
  { pattern: 'cannot modify (?<name>.+) because it is a view', errorClass: 'permission' },
  { pattern: '^interrupted$', errorClass: 'timeout' },
  { vendorCode: 'SQLITE_INTERRUPT', errorClass: 'timeout' },
  { vendorCode: 'SQLITE_READONLY', errorClass: 'permission' },
  { vendorCode: 'SQLITE_AUTH', errorClass: 'permission' },
  { vendorCode: 'SQLITE_CONSTRAINT', errorClass: 'constraint' },
  { vendorCode: 'SQLITE_MISMATCH', errorClass: 'type' },
];
