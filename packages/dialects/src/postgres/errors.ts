import type { ErrorRule } from '@askema/core';

/** A name as PostgreSQL's messages write it: in double quotes, or bare with its table in front. */
const NAME = '(?<name>"[^"]*"|[^\\s"]+)';

/**
 * From PostgreSQL's SQLSTATE codes (https://www.postgresql.org/docs/current/errcodes-appendix.html) to error classes;
 * the message gives the name. The first rule that matches wins. Messages are those of an English server
 * (`lc_messages`); under another language the class stays and the name is lost.
 */
export const POSTGRES_ERRORS: readonly ErrorRule[] = [
  // undefined_column, undefined_table, undefined_object, undefined_parameter, invalid_schema_name,
  // invalid_catalog_name, ambiguous_column
  { vendorCode: '42703', pattern: `column ${NAME} `, errorClass: 'identifier' },
  { vendorCode: '42703', errorClass: 'identifier' },
  { vendorCode: '42P01', pattern: `(?:relation|for table|table|view|sequence) ${NAME}`, errorClass: 'identifier' },
  { vendorCode: '42P01', errorClass: 'identifier' },
  { vendorCode: '42704', pattern: `^[\\w ]+? ${NAME} `, errorClass: 'identifier' },
  { vendorCode: '42704', errorClass: 'identifier' },
  { vendorCode: '42P02', errorClass: 'identifier' },
  { vendorCode: '3F000', pattern: `schema ${NAME}`, errorClass: 'identifier' },
  { vendorCode: '3F000', errorClass: 'identifier' },
  { vendorCode: '3D000', errorClass: 'identifier' },
  { vendorCode: '42702', pattern: `column reference ${NAME}`, errorClass: 'identifier' },
  { vendorCode: '42702', errorClass: 'identifier' },
  // duplicate_column, duplicate_alias, duplicate_table, duplicate_schema, duplicate_object
  { vendorCode: '42701', pattern: `(?:column|name) ${NAME}`, errorClass: 'identifier' },
  { vendorCode: '42701', errorClass: 'identifier' },
  { vendorCode: '42712', pattern: `name ${NAME}`, errorClass: 'identifier' },
  { vendorCode: '42712', errorClass: 'identifier' },
  { vendorCode: '42P07', pattern: `relation ${NAME}`, errorClass: 'identifier' },
  { vendorCode: '42P07', errorClass: 'identifier' },
  { vendorCode: '42P06', errorClass: 'identifier' },
  { vendorCode: '42710', errorClass: 'identifier' },
  // undefined_function stands for operators too: those are a matter of types.
  { vendorCode: '42883', pattern: 'operator does not exist', errorClass: 'type' },
  { vendorCode: '42883', pattern: '(?:function|procedure) (?<name>[^\\s(]+)', errorClass: 'function' },
  { vendorCode: '42883', errorClass: 'function' },
  // ambiguous_function
  { vendorCode: '42725', pattern: 'operator is not unique', errorClass: 'type' },
  { vendorCode: '42725', pattern: 'function (?<name>[^\\s(]+)', errorClass: 'function' },
  // grouping_error: a column that is not grouped is a matter of syntax, a misplaced aggregate one of functions.
  { vendorCode: '42803', pattern: 'must appear in the GROUP BY clause|uses ungrouped column', errorClass: 'syntax' },
  { vendorCode: '42803', errorClass: 'function' },
  // windowing_error
  { vendorCode: '42P20', errorClass: 'function' },
  // wrong_object_type
  { vendorCode: '42809', pattern: 'window function (?<name>\\S+)', errorClass: 'function' },
  { vendorCode: '42809', pattern: 'but (?<name>\\S+) is not a window', errorClass: 'function' },
  { vendorCode: '42809', pattern: 'cannot (?:insert|update|delete|change)', errorClass: 'permission' },
  { vendorCode: '42809', errorClass: 'function' },
  // syntax_error, invalid_column_reference, cardinality_violation, too_many_arguments and their kin
  { vendorCode: '42601', pattern: 'at or near "(?<name>.*)"', errorClass: 'syntax' },
  { vendorCode: '42601', errorClass: 'syntax' },
  { vendorCode: '42P10', errorClass: 'syntax' },
  { vendorCode: '42P19', errorClass: 'syntax' },
  { vendorCode: '21000', errorClass: 'syntax' },
  { vendorCode: '42000', errorClass: 'syntax' },
  { vendorCode: '0A000', errorClass: 'syntax' },
  // datatype_mismatch, cannot_coerce, indeterminate_datatype, collation_mismatch
  { vendorCode: '42804', errorClass: 'type' },
  { vendorCode: '42846', errorClass: 'type' },
  { vendorCode: '42P18', errorClass: 'type' },
  { vendorCode: '42P21', errorClass: 'type' },
  { vendorCode: '42P22', errorClass: 'type' },
  // class 22, data exceptions: text that is no number or date, what is out of range, division by zero
  ...[
    '22P02',
    '22P03',
    '22007',
    '22008',
    '22003',
    '22012',
    '22023',
    '22001',
    '22018',
    '22021',
    '2201B',
    '2201E',
    '2201F',
    '2201W',
    '2201X',
    '22011',
    '22014',
    '22016',
    '2202E',
    '22030',
    '22032',
    '22033',
    '22000',
  ].map((vendorCode): ErrorRule => ({ vendorCode, errorClass: 'type' })),
  // class 23
  { vendorCode: '23505', pattern: 'unique constraint "(?<name>[^"]+)"', errorClass: 'constraint' },
  { vendorCode: '23502', pattern: 'in column "(?<name>[^"]+)"', errorClass: 'constraint' },
  { vendorCode: '23503', pattern: 'foreign key constraint "(?<name>[^"]+)"', errorClass: 'constraint' },
  { vendorCode: '23514', pattern: 'check constraint "(?<name>[^"]+)"', errorClass: 'constraint' },
  ...['23000', '23001', '23502', '23503', '23505', '23514', '23P01'].map(
    (vendorCode): ErrorRule => ({ vendorCode, errorClass: 'constraint' }),
  ),
  // generated_always, invalid_foreign_key
  { vendorCode: '428C9', errorClass: 'constraint' },
  { vendorCode: '42830', errorClass: 'constraint' },
  // insufficient_privilege, read_only_sql_transaction
  { vendorCode: '42501', errorClass: 'permission' },
  { vendorCode: '25006', errorClass: 'permission' },
  // object_not_in_prerequisite_state: writes to what cannot be written, such as a view over a join
  { vendorCode: '55000', pattern: 'cannot (?:insert|update|delete)', errorClass: 'permission' },
  // query_canceled (statement_timeout), lock_not_available
  { vendorCode: '57014', errorClass: 'timeout' },
  { vendorCode: '55P03', errorClass: 'timeout' },
];
