import type { ErrorClass, ErrorRule } from '@askema/core';

/**
 * Symbol, number, class and, where the message names something, a pattern for it
 * (https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html).
 */
type Row = readonly [symbol: string, number: number, errorClass: ErrorClass, pattern?: string];

const QUOTED = "'(?<name>[^']+)'";

/** The database stands in front of the name: `FUNCTION shop.median does not exist`. */
const NO_FUNCTION = 'FUNCTION (?:\\S+\\.)?(?<name>[^\\s.]+) does not exist';

const ROWS: readonly Row[] = [
  ['ER_BAD_FIELD_ERROR', 1054, 'identifier', `Unknown column ${QUOTED}`],
  ['ER_NO_SUCH_TABLE', 1146, 'identifier', `Table ${QUOTED}`],
  ['ER_BAD_TABLE_ERROR', 1051, 'identifier', `table ${QUOTED}`],
  ['ER_UNKNOWN_TABLE', 1109, 'identifier', `table ${QUOTED}`],
  ['ER_BAD_DB_ERROR', 1049, 'identifier', `database ${QUOTED}`],
  ['ER_NON_UNIQ_ERROR', 1052, 'identifier', `Column ${QUOTED}`],
  ['ER_DUP_FIELDNAME', 1060, 'identifier', `name ${QUOTED}`],
  ['ER_NONUNIQ_TABLE', 1066, 'identifier', `alias: ${QUOTED}`],
  ['ER_TABLE_EXISTS_ERROR', 1050, 'identifier', `Table ${QUOTED}`],
  ['ER_KEY_COLUMN_DOES_NOT_EXITS', 1072, 'identifier', `column ${QUOTED}`],
  ['ER_UNKNOWN_COLLATION', 1273, 'identifier', `collation: ${QUOTED}`],
  ['ER_TOO_LONG_IDENT', 1059, 'identifier', `name ${QUOTED}`],
  ['ER_SP_DOES_NOT_EXIST', 1305, 'function', NO_FUNCTION],
  ['ER_FUNC_INEXISTENT_NAME_COLLISION', 1630, 'function', NO_FUNCTION],
  ['ER_WRONG_PARAMCOUNT_TO_NATIVE_FCT', 1582, 'function', `function ${QUOTED}`],
  ['ER_WRONG_PARAMETERS_TO_NATIVE_FCT', 1583, 'function', `function ${QUOTED}`],
  ['ER_INVALID_GROUP_FUNC_USE', 1111, 'function'],
  ['ER_WINDOW_INVALID_WINDOW_FUNC_USE', 3593, 'function', `function ${QUOTED}`],
  ['ER_EMPTY_QUERY', 1065, 'syntax'],
  ['ER_PARSE_ERROR', 1064, 'syntax', "near '(?<name>\\w+)"],
  ['ER_SYNTAX_ERROR', 1149, 'syntax'],
  ['ER_WRONG_FIELD_WITH_GROUP', 1055, 'syntax'],
  ['ER_MIX_OF_GROUP_FUNC_AND_FIELDS', 1140, 'syntax'],
  ['ER_WRONG_GROUP_FIELD', 1056, 'syntax'],
  ['ER_WRONG_NUMBER_OF_COLUMNS_IN_SELECT', 1222, 'syntax'],
  ['ER_OPERAND_COLUMNS', 1241, 'syntax'],
  ['ER_SUBQUERY_NO_1_ROW', 1242, 'syntax'],
  ['ER_WRONG_VALUE_COUNT_ON_ROW', 1136, 'syntax'],
  ['ER_DERIVED_MUST_HAVE_ALIAS', 1248, 'syntax'],
  ['ER_NO_TABLES_USED', 1096, 'syntax'],
  ['ER_NOT_SUPPORTED_YET', 1235, 'syntax'],
  ['ER_TRUNCATED_WRONG_VALUE', 1292, 'type'],
  ['ER_TRUNCATED_WRONG_VALUE_FOR_FIELD', 1366, 'type'],
  ['WARN_DATA_TRUNCATED', 1265, 'type'],
  ['ER_WARN_DATA_OUT_OF_RANGE', 1264, 'type'],
  ['ER_DATA_OUT_OF_RANGE', 1690, 'type'],
  ['ER_DATA_TOO_LONG', 1406, 'type'],
  ['ER_DIVISION_BY_ZERO', 1365, 'type'],
  ['ER_CANT_AGGREGATE_2COLLATIONS', 1267, 'type'],
  ['ER_INVALID_JSON_TEXT', 3140, 'type'],
  ['ER_INVALID_JSON_TEXT_IN_PARAM', 3141, 'type'],
  ['ER_INVALID_JSON_PATH', 3143, 'type'],
  ['ER_DUP_ENTRY', 1062, 'constraint', "for key '(?<name>[^']+)'"],
  ['ER_BAD_NULL_ERROR', 1048, 'constraint', `Column ${QUOTED}`],
  ['ER_NO_DEFAULT_FOR_FIELD', 1364, 'constraint', `Field ${QUOTED}`],
  ['ER_ROW_IS_REFERENCED_2', 1451, 'constraint', 'CONSTRAINT `(?<name>[^`]+)`'],
  ['ER_NO_REFERENCED_ROW_2', 1452, 'constraint', 'CONSTRAINT `(?<name>[^`]+)`'],
  ['ER_CHECK_CONSTRAINT_VIOLATED', 3819, 'constraint', `constraint ${QUOTED}`],
  ['ER_NON_DEFAULT_VALUE_FOR_GENERATED_COLUMN', 3105, 'constraint'],
  ['ER_DBACCESS_DENIED_ERROR', 1044, 'permission'],
  ['ER_TABLEACCESS_DENIED_ERROR', 1142, 'permission'],
  ['ER_COLUMNACCESS_DENIED_ERROR', 1143, 'permission'],
  ['ER_SPECIFIC_ACCESS_DENIED_ERROR', 1227, 'permission'],
  ['ER_PROCACCESS_DENIED_ERROR', 1370, 'permission'],
  ['ER_OPTION_PREVENTS_STATEMENT', 1290, 'permission'],
  ['ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION', 1792, 'permission'],
  ['ER_NON_UPDATABLE_TABLE', 1288, 'permission'],
  ['ER_QUERY_TIMEOUT', 3024, 'timeout'],
  ['ER_QUERY_INTERRUPTED', 1317, 'timeout'],
  ['ER_LOCK_WAIT_TIMEOUT', 1205, 'timeout'],
];

/**
 * From MySQL's errors to error classes; the first rule that matches wins. Drivers give the symbol (`ER_NO_SUCH_TABLE`)
 * or the number (`1146`) as code, so that each row makes a rule for both.
 */
export const MYSQL_ERRORS: readonly ErrorRule[] = ROWS.flatMap(([symbol, number, errorClass, pattern]) =>
  [symbol, String(number)].flatMap((vendorCode): ErrorRule[] => [
    ...(pattern === undefined ? [] : [{ vendorCode, pattern, errorClass }]),
    { vendorCode, errorClass },
  ]),
);
