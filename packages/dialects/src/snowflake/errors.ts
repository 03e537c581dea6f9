import type { ErrorRule } from '@askema/core';

/**
 * From Snowflake's codes to error classes. Snowflake publishes no full list; the codes are those that drivers report
 * for recorded statements, with the messages that stand behind them
 * (https://docs.snowflake.com/en/developer-guide/sql-api/handling-errors says where code and message stand).
 */
export const SNOWFLAKE_ERRORS: readonly ErrorRule[] = [
  { vendorCode: '000904', pattern: "invalid identifier '(?<name>.+?)'(?:\\s|$)", errorClass: 'identifier' },
  {
    vendorCode: '002003',
    pattern: "(?:object|schema|database|table|view) '(?<name>.+?)' does not exist",
    errorClass: 'identifier',
  },
  { vendorCode: '002004', pattern: 'invalid identifier (?<name>\\S+)', errorClass: 'identifier' },
  { vendorCode: '002028', pattern: "ambiguous column name '(?<name>.+?)'(?:\\s|$)", errorClass: 'identifier' },
  { vendorCode: '002027', pattern: "duplicate alias '(?<name>.+?)'(?:\\s|$)", errorClass: 'identifier' },
  { vendorCode: '002049', pattern: 'bind variable (?<name>\\S+) not set', errorClass: 'identifier' },
  { vendorCode: '090105', errorClass: 'identifier' },
  { vendorCode: '002140', pattern: 'unknown functions? (?<name>[^\\s,]+)', errorClass: 'function' },
  { vendorCode: '002141', pattern: 'unknown user-defined function (?<name>\\S+)', errorClass: 'function' },
  { vendorCode: '002142', pattern: 'unknown table function (?<name>\\S+)', errorClass: 'function' },
  { vendorCode: '002060', pattern: 'invalid function type \\[(?<name>[^\\]]+)\\]', errorClass: 'function' },
  { vendorCode: '002070', pattern: 'function (?<name>\\S+) does not support', errorClass: 'function' },
  { vendorCode: '002303', pattern: 'unsupported for function (?<name>\\S+)', errorClass: 'function' },
  ...classed('identifier', '000904 002003 002004 002027 002028 002043 002049'),
  ...classed(
    'function',
    '000938 000939 001015 002016 002035 002036 002060 002061 002062 002063 002065 002070 002082 002140 002141 002142 002303',
  ),
  ...classed('syntax', '000900 000979 000992 001003 001072 001100 001104 002020 002024 002031 002075 002076'),
  ...classed(
    'type',
    '001007 001038 001044 001065 001840 002040 092102 100035 100037 100038 100039 100040 100041 100048 100051 100069 100071 100096 100097 100132 100137 100138 100205 100249 100256 100388',
  ),
  // 100072: NULL where it must not be; 200001: a key of a hybrid table is there already.
  ...classed('constraint', '100072 200001'),
  ...classed('timeout', '000604 000630'),
  ...classed('permission', '003001 003041 003540'),
  { vendorCode: '000002', pattern: "unsupported feature '(?<name>[^']+)'", errorClass: 'syntax' },
  // Drivers that give no code give the message.
  { pattern: "invalid identifier '(?<name>.+?)'(?:\\s|$)", errorClass: 'identifier' },
  { pattern: "'(?<name>[^']+)' does not exist or not authorized", errorClass: 'identifier' },
  { pattern: 'unknown functions? (?<name>[^\\s,]+)', errorClass: 'function' },
  { pattern: 'insufficient privileges', errorClass: 'permission' },
  { pattern: 'statement or warehouse timeout', errorClass: 'timeout' },
  {
    pattern: 'invalid argument types|is not recognized|failed to cast|can not convert|out of range',
    errorClass: 'type',
  },
  { pattern: 'syntax error|unsupported subquery|not a valid group by', errorClass: 'syntax' },
];

function classed(errorClass: ErrorRule['errorClass'], codes: string): ErrorRule[] {
  return codes.split(' ').map((vendorCode) => ({ vendorCode, errorClass }));
}
