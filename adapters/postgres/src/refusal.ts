import { notReadOnlyError, refuseText } from '@askema/adapter-kit';
import type { Access, AskemaError } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { Reading } from './connection/transaction.ts';
import { findSuspect } from './functions/find-suspect.ts';

/**
 * First words of statements that no call may run, whatever it was granted: they end the transaction of the call, or
 * leave something on a connection that other calls use; COPY reaches for files and programs of the server, or for a
 * stream that is not there.
 */
const NEVER =
  'ABORT BEGIN CHECKPOINT CLOSE COMMIT COPY DEALLOCATE DECLARE DISCARD END EXECUTE FETCH LISTEN LOAD MOVE NOTIFY PREPARE RELEASE RESET ROLLBACK SAVEPOINT SET START UNLISTEN';

/**
 * Why a statement may not run, by its text and by what the server says of the functions to which its names lead;
 * undefined when nothing speaks against it. The engine has the last word.
 */
export async function refusalOf(sql: string, access: Access, begun: Reading): Promise<AskemaError | undefined> {
  const refusal = refuseText(sql, access, postgresDialect, NEVER);
  if (refusal !== undefined || access !== 'read') return refusal;
  const found = findSuspect(sql, await begun.suspects(), begun.path);
  return found && notReadOnlyError(sql, found.suspect.reason, found.start);
}
