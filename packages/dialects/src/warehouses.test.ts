import { classifyError, type ErrorClass, logicalType, quoteIdentifier, quoteString } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { bigqueryDialect } from './bigquery.ts';
import { itIsData } from './engine-suite.ts';
import { snowflakeDialect } from './snowflake.ts';

const COMPILATION = 'SQL compilation error: error line 3 at position 11\n';

describe('errors of Snowflake', () => {
  it.each<[string, string, ErrorClass, string | undefined]>([
    ['000904', `${COMPILATION}invalid identifier 'T."filing_date"'`, 'identifier', 'T."filing_date"'],
    ['000904', `${COMPILATION}invalid identifier '"it's"'`, 'identifier', "it's"],
    ['002003', "SQL compilation error:\nObject 'A.B.C' does not exist or not authorized.", 'identifier', 'A.B.C'],
    ['002003', 'SQL compilation error: it is gone', 'identifier', undefined],
    ['001003', "SQL compilation error:\nsyntax error line 1 at position 3 unexpected 'x'.", 'syntax', undefined],
    ['002031', 'SQL compilation error:\nUnsupported subquery type cannot be evaluated', 'syntax', undefined],
    ['000979', 'SQL compilation error:\n[x] is not a valid group by expression', 'syntax', undefined],
    ['002140', 'SQL compilation error:\nUnknown functions ST_GEOGPOINT, STRFTIME', 'function', 'ST_GEOGPOINT'],
    ['002140', 'SQL compilation error:\nUnknown function LOG2', 'function', 'LOG2'],
    ['001044', `${COMPILATION}Invalid argument types for function 'F': (GEOGRAPHY)`, 'type', undefined],
    ['001007', "SQL compilation error:\ninvalid type [X] for parameter 'TO_DATE'", 'type', undefined],
    ['100035', "Timestamp '2020-13-01' is not recognized", 'type', undefined],
    ['100038', "Numeric value 'a' is not recognized", 'type', undefined],
    ['100040', "Date 'a' is not recognized", 'type', undefined],
    [
      '000630',
      'Statement reached its statement or warehouse timeout of 60 second(s) and was canceled.',
      'timeout',
      undefined,
    ],
    ['003001', 'SQL access control error:\nInsufficient privileges to operate on schema', 'permission', undefined],
    ['', "Database 'X' does not exist or not authorized.", 'identifier', 'X'],
    ['999999', 'something else', 'other', undefined],
  ])('%s %j is %s', (vendorCode, message, errorClass, name) => {
    expect(classifyError(snowflakeDialect, { vendorCode, message })).toEqual(
      name === undefined ? { errorClass } : { errorClass, name },
    );
  });
});

describe('errors of BigQuery', () => {
  it.each<[string, string, ErrorClass, string | undefined]>([
    ['invalidQuery', 'Unrecognized name: nam; Did you mean name? at [1:8]', 'identifier', 'nam'],
    ['invalidQuery', 'Name nam not found inside t at [1:10]', 'identifier', 'nam'],
    ['invalidQuery', 'Field name x does not exist in STRUCT<a INT64> at [1:10]', 'identifier', 'x'],
    ['invalidQuery', 'Column name id is ambiguous at [1:8]', 'identifier', 'id'],
    ['notFound', 'Not found: Table p:d.t was not found in location US', 'identifier', 'p:d.t'],
    ['notFound', 'gone', 'identifier', undefined],
    ['invalidQuery', 'Function not found: strftime; Did you mean strpos? at [1:8]', 'function', 'strftime'],
    ['invalidQuery', 'Aggregate function COUNT not allowed in WHERE clause at [1:30]', 'function', 'COUNT'],
    ['invalidQuery', 'No matching signature for operator = for argument types: INT64, STRING', 'type', undefined],
    ['invalidQuery', 'Bad int64 value: a', 'type', undefined],
    ['invalidQuery', 'Syntax error: Unexpected keyword FROM at [1:8]', 'syntax', undefined],
    [
      'invalidQuery',
      'SELECT list expression references column a which is neither grouped nor aggregated at [1:8]',
      'syntax',
      undefined,
    ],
    [
      'accessDenied',
      'Access Denied: Table p:d.t: User does not have permission to query table',
      'permission',
      undefined,
    ],
    ['timeout', 'The job took too long', 'timeout', undefined],
    ['resourcesExceeded', 'Resources exceeded during query execution', 'timeout', undefined],
    ['duplicate', 'Already Exists: Table p:d.t', 'constraint', undefined],
    ['resourceInUse', 'Dataset p:d is still in use', 'constraint', undefined],
    ['invalid', 'Clustering field is not in the schema. Invalid field: kind', 'identifier', 'kind'],
    ['invalid', 'Invalid dataset ID "a b". Dataset IDs must be alphanumeric', 'identifier', 'a b'],
    ['invalidQuery', 'Invalid time zone: Here/There', 'type', undefined],
    ['invalidQuery', 'Error: oh no at half(FLOAT64) line 3, column 7', 'function', undefined],
    ['backendError', 'Try again', 'other', undefined],
  ])('%s %j is %s', (vendorCode, message, errorClass, name) => {
    expect(classifyError(bigqueryDialect, { vendorCode, message })).toEqual(
      name === undefined ? { errorClass } : { errorClass, name },
    );
  });
});

describe.each([snowflakeDialect, bigqueryDialect])('$displayName as data', (dialect) => {
  itIsData(dialect, [['ARRAY<STRUCT<a INT64>>', 'TEXT']]);
});

it('quotes by the rules of each engine', () => {
  expect(quoteIdentifier('a"b', snowflakeDialect)).toBe('"a""b"');
  expect(quoteIdentifier('a`b\\', bigqueryDialect)).toBe('`a\\`b\\\\`');
  expect(quoteString("it's \\", snowflakeDialect)).toBe("'it\\'s \\\\'");
  expect(quoteString("it's", bigqueryDialect)).toBe("'it\\'s'");
  expect(logicalType('NUMBER(38,0)', snowflakeDialect)).toBe('NUMERIC');
  expect(logicalType('TIMESTAMP_NTZ(9)', snowflakeDialect)).toBe('DATETIME');
  expect(logicalType('BIGNUMERIC(40, 2)', bigqueryDialect)).toBe('NUMERIC');
});
