import { AskemaError, shortened } from '@askema/core';
import type { LoggedStatement } from '../logged-statement.ts';

/**
 * Names of columns, in lower case: QUERY_HISTORY of Snowflake, INFORMATION_SCHEMA.JOBS of BigQuery, pg_stat_statements,
 * and plain words. The first that is there counts.
 */
const COLUMNS = {
  sql: ['query_text', 'query', 'sql', 'statement'],
  calls: ['calls', 'executions', 'count'],
  user: ['user_name', 'user_email', 'usename', 'user', 'username', 'userid'],
  at: ['start_time', 'creation_time', 'log_time', 'at', 'time', 'timestamp'],
  status: ['execution_status', 'status'],
  error: ['error_code', 'error_message', 'error_result', 'error'],
  application: ['application_name', 'client_application_id', 'application'],
  tag: ['query_tag', 'labels', 'tag'],
} as const;

type Column = keyof typeof COLUMNS;

/** Which of the keys of a record says what. */
export type LogColumns = Readonly<Partial<Record<Column, string>>>;

/** Undefined where none of the keys holds SQL. */
export function columnsIn(keys: readonly string[]): LogColumns | undefined {
  const found: Partial<Record<Column, string>> = {};
  for (const [column, names] of Object.entries(COLUMNS) as [Column, readonly string[]][]) {
    const key = names.flatMap((name) => keys.find((one) => one.trim().toLowerCase() === name) ?? [])[0];
    if (key !== undefined) found[column] = key;
  }
  return found.sql === undefined ? undefined : found;
}

/** @throws AskemaError `INPUT_INVALID` where none of them holds SQL. */
export function logColumns(keys: readonly string[], file: string): LogColumns {
  const found = columnsIn(keys);
  if (found !== undefined) return found;
  const there = shortened(keys.map((key) => JSON.stringify(key)).join(', '), 300);
  throw new AskemaError(
    'INPUT_INVALID',
    `${file} has no column of SQL: it has ${there}. Name it ${COLUMNS.sql.join(' or ')}.`,
  );
}

/** A statement of a record; columns that say nothing are left out. */
export function statementOf(record: Readonly<Record<string, unknown>>, columns: LogColumns): LoggedStatement {
  const text = (column: Column): string | undefined => {
    const key = columns[column];
    const value = key !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
    if (value === undefined || value === null || value === '') return undefined;
    return typeof value === 'string' ? value : jsonOf(value);
  };
  const calls = Number(text('calls') ?? 1);
  const status = text('status');
  const error = text('error');
  const hasFailed =
    (status !== undefined && /^(fail|error|incident|cancel)/i.test(status)) ||
    (error !== undefined && !/^(0+|null|false|\{\}|\[\])$/i.test(error));
  return {
    sql: text('sql') ?? '',
    calls: Number.isSafeInteger(calls) && calls > 0 ? calls : 1,
    user: text('user'),
    at: isoTime(text('at')),
    failed: hasFailed || record.failed === true || record.failed === 'true',
    application: text('application'),
    tag: text('tag'),
  };
}

/** Undefined for what is nested deeper than can be written. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** As ISO 8601 in UTC; undefined for what is no time. */
export function isoTime(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const isNumber = /^\d{10,13}(\.\d+)?$/.test(text);
  const plain = text.replace(/^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,3})?)\d* ?(?:UTC|Z)?$/, '$1T$2Z');
  const time = isNumber ? Number(text) * (text.length < 13 ? 1_000 : 1) : Date.parse(plain);
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
