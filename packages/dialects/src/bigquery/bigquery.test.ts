import { classifyError, type ErrorClass, logicalType, quoteIdentifier, quoteString } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { itIsData } from '../engine-suite.ts';
import { bigqueryDialect } from './bigquery.ts';

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

describe('BigQuery as data', () => {
  itIsData(bigqueryDialect, [['ARRAY<STRUCT<a INT64>>', 'TEXT']]);
});

it('quotes by the rules of BigQuery', () => {
  expect(quoteIdentifier('a`b\\', bigqueryDialect)).toBe('`a\\`b\\\\`');
  expect(quoteString("it's", bigqueryDialect)).toBe("'it\\'s'");
  expect(logicalType('BIGNUMERIC(40, 2)', bigqueryDialect)).toBe('NUMERIC');
});
