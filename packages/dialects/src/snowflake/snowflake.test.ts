import { classifyError, type ErrorClass, logicalType, quoteIdentifier, quoteString } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { itIsData } from '../engine-suite.ts';
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

describe('Snowflake as data', () => {
  itIsData(snowflakeDialect, [['ARRAY<STRUCT<a INT64>>', 'TEXT']]);
});

it('quotes by the rules of Snowflake', () => {
  expect(quoteIdentifier('a"b', snowflakeDialect)).toBe('"a""b"');
  expect(quoteString("it's \\", snowflakeDialect)).toBe("'it\\'s \\\\'");
  expect(logicalType('NUMBER(38,0)', snowflakeDialect)).toBe('NUMERIC');
  expect(logicalType('TIMESTAMP_NTZ(9)', snowflakeDialect)).toBe('DATETIME');
});
