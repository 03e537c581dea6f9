import { refuseText } from '@askema/adapter-kit';
import type { Access, AskemaError } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { WireRow } from './connection/wire.ts';
import { refuseVolatile } from './volatile-functions.ts';

/**
 * First words of statements that no call may run, whatever it was granted: they end the transaction of the call, or
 * leave something on a connection that other calls use; COPY reaches for files and programs of the server, or for a
 * stream that is not there.
 */
const NEVER =
  'ABORT BEGIN CHECKPOINT CLOSE COMMIT COPY DEALLOCATE DECLARE DISCARD END EXECUTE FETCH LISTEN LOAD MOVE NOTIFY PREPARE RELEASE RESET ROLLBACK SAVEPOINT SET START UNLISTEN';

/**
 * Why a statement may not run, by its text and by the volatile functions that the server found in it; undefined when
 * nothing speaks against it. The engine has the last word.
 */
export function refusalOf(sql: string, access: Access, volatile: readonly WireRow[]): AskemaError | undefined {
  const refusal = refuseText(sql, access, postgresDialect, NEVER);
  return refusal ?? (access === 'read' ? refuseVolatile(sql, volatile) : undefined);
}
