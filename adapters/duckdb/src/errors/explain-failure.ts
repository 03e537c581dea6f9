import { offsetOfByte, offsetOfCharacter, processFailureError } from '@askema/adapter-kit';
import { AskemaError, statementError } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import type { EngineFailure, Failure } from '../protocol.ts';

/** Makes the error that the caller sees of what the engine's process reports. */
export function explainFailure(failure: Failure, sql: string | undefined): AskemaError {
  switch (failure.kind) {
    case 'empty':
      return new AskemaError('QUERY_FAILED', 'There is no statement in the text. Send one query.', {
        details: { sql, errorClass: 'syntax' },
      });
    case 'engine':
      return (
        brokenEngine(failure, sql) ??
        refusal(failure, sql) ??
        memoryProblem(failure, sql) ??
        fileProblem(failure, sql) ??
        statementProblem(failure, sql)
      );
    default:
      return processFailureError(failure, sql, '$name');
  }
}

/** After such an error DuckDB answers nothing any more but "database has been invalidated". */
export function isBroken(failure: Failure): boolean {
  return failure.kind === 'engine' && /^(INTERNAL|FATAL)$/i.test(failure.vendorCode);
}

/** Statements that run side by side share the engine's memory. */
export function isOutOfMemory(failure: Failure): boolean {
  return failure.kind === 'engine' && /Out of Memory/i.test(failure.vendorCode);
}

function brokenEngine(failure: EngineFailure, sql: string | undefined): AskemaError | undefined {
  if (!isBroken(failure)) return undefined;
  const { message, vendorCode } = failure;
  if (/database has been invalidated/.test(message))
    return new AskemaError(
      'DATABASE_UNAVAILABLE',
      'DuckDB failed inside at another statement, and took this one with it. It is started anew at the next call: try again.',
      { details: { sql, vendorCode }, retryable: true },
    );
  return new AskemaError(
    'QUERY_FAILED',
    `DuckDB failed inside while it ran this statement (${firstLine(message)}). That is a mistake of DuckDB: write the statement another way.`,
    { details: { sql, vendorCode, errorClass: 'other' } },
  );
}

/** What the engine itself does not let a reader do. */
function refusal({ message, vendorCode }: EngineFailure, sql: string | undefined): AskemaError | undefined {
  const details = { sql, vendorCode, errorClass: 'permission' } as const;
  if (/read-only mode/.test(message))
    return new AskemaError(
      'QUERY_NOT_READ_ONLY',
      'The statement tries to change the database, and this call may only read. Send a query.',
      { details },
    );
  if (/disabled by configuration|configuration has been locked/.test(message))
    return new AskemaError(
      'QUERY_REFUSED',
      `The statement reaches for what is closed to it (${firstLine(message)}). Only the opened database and files can be read; send a query over their tables.`,
      { details },
    );
  return undefined;
}

function memoryProblem(failure: EngineFailure, sql: string | undefined): AskemaError | undefined {
  if (!isOutOfMemory(failure)) return undefined;
  const { message, vendorCode } = failure;
  return new AskemaError(
    'QUERY_FAILED',
    `The statement, with those that ran beside it, needs more memory than \`maxMemoryBytes\` and \`maxTempBytes\` allow (${firstLine(message)}). Let it sort, group or build less, or raise them.`,
    { details: { sql, vendorCode, errorClass: 'other' } },
  );
}

/** A data file, or the database itself, that has gone or changed since it was opened. */
function fileProblem({ message, vendorCode }: EngineFailure, sql: string | undefined): AskemaError | undefined {
  if (/Contents of view were altered/.test(message))
    return new AskemaError(
      'DATABASE_INVALID',
      `A data file has changed its columns since it was opened (${firstLine(message)}). Open a new adapter.`,
      { details: { sql, vendorCode } },
    );
  if (vendorCode !== 'IO') return undefined;
  return new AskemaError('DATABASE_UNAVAILABLE', `DuckDB could not read a file (${firstLine(message)}).`, {
    details: { sql, vendorCode },
    retryable: true,
  });
}

function statementProblem({ message, vendorCode, position, names }: EngineFailure, sql = ''): AskemaError {
  return statementError(duckdbDialect, {
    sql,
    // Its kind stands in front, as DuckDB writes it; the candidates come as names.
    message: `${vendorCode} Error: ${message.replace(/\n(Did you mean|Candidate bindings:)[^\n]*/g, '')}`,
    vendorCode,
    offset: position === undefined ? undefined : offsetOf(sql, position, vendorCode),
    names,
  });
}

/** DuckDB's parser counts characters, everything behind it bytes of UTF-8. */
function offsetOf(sql: string, position: number, vendorCode: string): number {
  return vendorCode === 'Parser' ? offsetOfCharacter(sql, position) : offsetOfByte(sql, position);
}

function firstLine(message: string): string {
  return message.split('\n')[0]?.trim() ?? '';
}
