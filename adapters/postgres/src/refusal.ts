import { type Access, AskemaError, positionAt } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { readOnlyText, splitStatements } from '@askema/sql';
import type { WireRow } from './connection/wire.ts';
import { refuseVolatile } from './volatile-functions.ts';

/**
 * First words of statements that no call may run, whatever it was granted: they end the transaction of the call, or
 * leave something on a connection that other calls use; COPY reaches for files and programs of the server, or for a
 * stream that is not there.
 */
const NEVER = new Set(
  'ABORT BEGIN CHECKPOINT CLOSE COMMIT COPY DEALLOCATE DECLARE DISCARD END EXECUTE FETCH LISTEN LOAD MOVE NOTIFY PREPARE RELEASE RESET ROLLBACK SAVEPOINT SET START UNLISTEN'.split(
    ' ',
  ),
);

/**
 * Why a statement may not run, by its text and by the volatile functions that the server found in it; undefined when
 * nothing speaks against it. The engine has the last word.
 */
export function refusalOf(sql: string, access: Access, volatile: readonly WireRow[]): AskemaError | undefined {
  const statements = splitStatements(sql, postgresDialect.lexer);
  if (statements.length === 0)
    return new AskemaError('QUERY_FAILED', 'The statement is empty; send one statement.', {
      details: { sql, errorClass: 'syntax' },
    });
  if (access === 'read') {
    const verdict = readOnlyText(sql, postgresDialect.lexer);
    if (verdict.ok) return refuseVolatile(sql, volatile);
    return new AskemaError(
      'QUERY_NOT_READ_ONLY',
      `The statement does not run where only reading is allowed: ${verdict.reason}`,
      { details: { sql, errorClass: 'permission', position: positionAt(sql, verdict.position) } },
    );
  }
  if (statements.length > 1)
    return refused(sql, 'There is more than one statement: send one at a time; each is a transaction of its own.');
  const word = firstWord(sql.slice(statements[0]?.start ?? 0));
  return NEVER.has(word)
    ? refused(sql, `${word} does not run here: each call is a transaction of its own.`)
    : undefined;
}

function refused(sql: string, reason: string): AskemaError {
  return new AskemaError('QUERY_REFUSED', reason, { details: { sql, errorClass: 'permission' } });
}

/** A statement's span begins behind its comments. */
function firstWord(statement: string): string {
  return (/^[(\s]*([a-z]+)/i.exec(statement)?.[1] ?? '').toUpperCase();
}
