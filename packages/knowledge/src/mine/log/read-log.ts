import { createReadStream, readFileSync, statSync } from 'node:fs';
import { AskemaError, type Dialect } from '@askema/core';
import { splitStatements } from '@askema/sql';
import { isObject } from '../../formats/plain-object.ts';
import type { LoggedStatement } from '../logged-statement.ts';
import { columnsIn, isoTime, type LogColumns, logColumns, statementOf } from './log-columns.ts';
import { readCsv } from './read-csv.ts';

/** Files whose names end so are logs. */
export const LOG_FILES = /\.(sql|csv|jsonl|ndjson)$/i;
/** A file of SQL is read as a whole, in bytes. */
const MAX_SQL = 64_000_000;
/** Longer lines are no statements, in UTF-16 code units. */
const MAX_LINE = 1_000_000;

/**
 * The statements of a log: `.sql` by the lexer of the dialect; `.csv` and `.jsonl` (`.ndjson`) with the columns of
 * QUERY_HISTORY of Snowflake, JOBS of BigQuery or pg_stat_statements, or `csvlog` of PostgreSQL. A line that cannot be
 * read or has no SQL is a statement without text. CSV and JSON lines are read as they come.
 *
 * @throws AskemaError `INPUT_INVALID` for other names, a file of SQL above 64 MB, and columns without SQL.
 */
export function readLog(file: string, dialect: Dialect): AsyncIterable<LoggedStatement> {
  const ending = LOG_FILES.exec(file)?.[1]?.toLowerCase();
  if (ending === undefined)
    throw new AskemaError('INPUT_INVALID', `${file} is no log that can be read: .sql, .csv, .jsonl and .ndjson can.`);
  if (ending === 'sql') return readSql(file, dialect);
  return ending === 'csv' ? readTable(file) : readLines(file);
}

async function* readSql(file: string, dialect: Dialect): AsyncGenerator<LoggedStatement> {
  if (statSync(file).size > MAX_SQL)
    throw new AskemaError('INPUT_INVALID', `${file} has more than ${MAX_SQL} bytes. Split it.`);
  const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  for (const { start, end } of splitStatements(text, dialect.lexer)) yield { sql: text.slice(start, end) };
}

async function* readTable(file: string): AsyncGenerator<LoggedStatement> {
  let header: readonly string[] | undefined;
  let columns: LogColumns = {};
  let isServerLog = false;
  for await (const record of readCsv(chunksOf(file))) {
    // A csvlog has no header, and its last line may not be whole.
    isServerLog ||= header === undefined && isCsvLog(record);
    if (isServerLog) {
      yield ofCsvLog(record);
      continue;
    }
    if (header === undefined) {
      header = record.map((name) => name.replace(/^\uFEFF/, ''));
      columns = logColumns(header, file);
      continue;
    }
    const names = header;
    yield statementOf(Object.fromEntries(record.map((cell, at) => [names[at] ?? '', cell])), columns);
  }
}

async function* readLines(file: string): AsyncGenerator<LoggedStatement> {
  let first: readonly string[] | undefined;
  let hasSql = false;
  for await (const line of linesOf(chunksOf(file))) {
    if (line.trim() === '') continue;
    const record = parsed(line);
    const columns = columnsIn(Object.keys(record ?? {}));
    if (record !== undefined) first ??= Object.keys(record);
    hasSql ||= columns !== undefined;
    yield record === undefined || columns === undefined ? { sql: '' } : statementOf(record, columns);
  }
  if (!hasSql && first !== undefined) logColumns(first, file);
}

function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function* chunksOf(file: string): AsyncGenerator<string> {
  for await (const chunk of createReadStream(file, { encoding: 'utf8' })) yield String(chunk);
}

/** Lines without their ends; what is too long is one that cannot be read. */
async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = chunk.split('\n');
    lines[0] = rest + (lines[0] ?? '');
    rest = (lines.pop() ?? '').slice(0, MAX_LINE);
    yield* lines;
  }
  yield rest;
}

/** https://www.postgresql.org/docs/current/runtime-config-logging.html#RUNTIME-CONFIG-LOGGING-CSVLOG */
const CSVLOG = { at: 0, user: 1, severity: 11, message: 13, query: 19, application: 22 };

function isCsvLog(record: readonly string[]): boolean {
  return record.length > CSVLOG.application && /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}\.\d+ /.test(record[0] ?? '');
}

/** `statement: SELECT …`, also behind a duration, and of a prepared one; errors have the statement in a column of its own. */
function ofCsvLog(record: readonly string[]): LoggedStatement {
  const cell = (name: keyof typeof CSVLOG): string => record[CSVLOG[name]] ?? '';
  const message = /^(?:duration: [\d.]+ ms {2})?(?:statement|execute [^:]*): ([\s\S]*)$/.exec(cell('message'));
  const failed = /^(ERROR|FATAL|PANIC)$/.test(cell('severity'));
  return {
    sql: failed ? cell('query') : (message?.[1] ?? ''),
    user: cell('user') || undefined,
    at: isoTime(cell('at')),
    failed,
    application: cell('application') || undefined,
  };
}
