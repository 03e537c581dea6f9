import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { processFailureError, unreadableFileError } from '@askema/adapter-kit';
import { AskemaError, statementError } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { Failure, SqliteFailure } from '../protocol.ts';
import { locateName } from '../sql/locate-name.ts';
import { directoryProblem, emptyFile, missingFile, realFolder } from './file-problem.ts';

/** Makes the error that the caller sees of what a worker reports. */
export async function explainFailure(failure: Failure, file: string, sql: string | undefined): Promise<AskemaError> {
  switch (failure.kind) {
    case 'missing':
      return missingFile(file);
    case 'directory':
      return directoryProblem(file);
    case 'empty':
      return emptyFile(file);
    case 'strange':
      return new AskemaError('DATABASE_UNAVAILABLE', `The database ${file} is not opened: ${failure.why}.`);
    case 'sqlite':
      return (await databaseProblem(failure, file)) ?? statementProblem(failure, sql);
    default:
      return processFailureError(failure, sql, ':name');
  }
}

/** Errors of the file or its locks, by primary result code (https://sqlite.org/rescode.html). */
async function databaseProblem({ vendorCode, message }: SqliteFailure, file: string): Promise<AskemaError | undefined> {
  const primary = /^SQLITE_[A-Z]+/.exec(vendorCode)?.[0];
  const details = { vendorCode };
  switch (primary) {
    case 'SQLITE_NOTADB':
      return new AskemaError(
        'DATABASE_INVALID',
        `${file} is no SQLite database (${message}). Check the path; an encrypted database must be decrypted first.`,
        { details },
      );
    case 'SQLITE_CORRUPT':
      return new AskemaError(
        'DATABASE_CORRUPT',
        `The database ${file} is damaged (${message}). \`PRAGMA integrity_check\` says where; restore a backup, or recover it with \`sqlite3 ${file} .recover\`.`,
        { details },
      );
    case 'SQLITE_BUSY':
    case 'SQLITE_LOCKED':
      return new AskemaError(
        'DATABASE_LOCKED',
        `The database ${file} is locked by another connection (${message}). Try again when it is done, or raise \`busyTimeoutMs\`.`,
        { details, retryable: true },
      );
    case 'SQLITE_CANTOPEN':
    case 'SQLITE_PERM':
      return unopenable(message, vendorCode, file);
    case 'SQLITE_READONLY':
      return vendorCode === 'SQLITE_READONLY' ? undefined : unreadable(message, vendorCode, file);
    case 'SQLITE_IOERR':
    case 'SQLITE_FULL':
    case 'SQLITE_PROTOCOL':
      return new AskemaError('DATABASE_UNAVAILABLE', `Reading or writing ${file} failed (${vendorCode}: ${message}).`, {
        details,
        retryable: true,
      });
    default:
      return undefined;
  }
}

/** The file is there, but SQLite cannot open it. */
async function unopenable(message: string, vendorCode: string, file: string): Promise<AskemaError> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => error);
  if (found instanceof Error && found.code === 'ENOENT') return missingFile(file);
  if (found instanceof Error || !(await may(file, constants.R_OK)))
    return unreadableFileError(file, { code: 'EACCES' });
  return unreadable(message, vendorCode, file);
}

/** What a reader may not bring in order, by code (https://sqlite.org/rescode.html). */
const LEFT_BEHIND: Readonly<Record<string, string>> = {
  SQLITE_READONLY_ROLLBACK: '-journal',
  SQLITE_READONLY_RECOVERY: '-wal',
};

/** What a reader may not do: make the files of a write-ahead log, or finish the work of a writer that died. */
async function unreadable(message: string, vendorCode: string, file: string): Promise<AskemaError> {
  const folder = await realFolder(file);
  const left = LEFT_BEHIND[vendorCode];
  const reason = !(await may(folder, constants.W_OK))
    ? `it keeps a write-ahead log or an unfinished change, and its folder ${folder} may not be written. Make the folder writable, or switch the database to \`PRAGMA journal_mode = DELETE\` with a tool of yours`
    : left === undefined
      ? `look at the kind, the owner and the permissions of it and of what is beside it with -journal, -wal and -shm behind its name`
      : `${file}${left} holds what a program has not brought to its end. If a program of yours ended in the middle of a change, open the database once with \`access: 'write'\`, which brings it in order; if the file came from somebody else, move it away instead: what it holds would be written into the database`;
  return new AskemaError(
    'DATABASE_UNAVAILABLE',
    `The database ${file} cannot be opened for reading (${message}): ${reason}.`,
    { details: { vendorCode } },
  );
}

/** Whether this user may do that with a file or folder. */
export async function may(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}

/** Errors of the statement: class, position and the nearest names. */
function statementProblem(failure: SqliteFailure, sql: string | undefined): AskemaError {
  const { vendorCode, message, offset, names } = failure;
  const plain = statementError(sqliteDialect, {
    sql: sql ?? '',
    message: readable(message),
    vendorCode,
    offset: sql === undefined ? undefined : (offset ?? locateName(sql, message)),
    names,
  });
  const details = { ...plain.details, sql };
  if (/load_extension|not authorized/.test(message) && /load_extension/i.test(sql ?? ''))
    return new AskemaError(
      'QUERY_REFUSED',
      'load_extension() is refused: it would run foreign code. Use the functions that SQLite has.',
      { details: { ...details, errorClass: 'permission' } },
    );
  if (vendorCode === 'SQLITE_READONLY')
    return new AskemaError(
      'QUERY_NOT_READ_ONLY',
      'The statement tried to change the database while it ran, and this call may only read. Send a query.',
      { details: { ...details, errorClass: 'permission' } },
    );
  return sql === undefined ? new AskemaError('QUERY_FAILED', plain.message, { details }) : plain;
}

/** What follows "token:" is taken for a secret and redacted; in this message it is a piece of the statement. */
function readable(message: string): string {
  return message.replace(/^unrecognized token: /, 'unrecognized token ');
}
