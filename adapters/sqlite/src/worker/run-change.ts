import {
  type Conversation,
  type LastAnswer,
  RequestFailure,
  rowBytes,
  type StatementRequest,
} from '@askema/adapter-kit/process';
import type { Row } from '@askema/core';
import type { SqliteTalk } from '../protocol.ts';
import { toRow } from './cells.ts';
import type { Database, RowStatement } from './driver.ts';
import type { Handles } from './handles.ts';
import { bindParameters, prepareOne } from './prepare.ts';
import { type OpenRows, runReading, startRows } from './run-query.ts';

/** Rows of one message. */
const SLICE_ROWS = 512;

/**
 * Runs a statement that may change data, in a transaction on a handle of its own. It commits only when the caller, who
 * knows whether the deadline has passed or an abort has come, says so; otherwise it is rolled back. A statement that
 * only reads runs as such.
 */
export async function runChanging(
  handles: Handles,
  request: StatementRequest,
  conversation: Conversation<SqliteTalk>,
): Promise<LastAnswer<SqliteTalk>> {
  const database = handles.openWriter();
  let changed: Changed | undefined;
  try {
    const statement = prepareOne(database, request.sql, 'write');
    if (!statement.readonly) {
      bindParameters(statement, request);
      changed = await changeInTransaction(database, statement, request, conversation);
    } else if (!statement.reader) {
      throw new RequestFailure({
        kind: 'refused',
        code: 'QUERY_REFUSED',
        message:
          'The statement neither reads nor changes data. Send a SELECT, an INSERT, UPDATE, DELETE, or a statement that changes the schema.',
      });
    }
  } finally {
    database.close();
  }
  return changed === undefined ? runReading(handles, request, conversation) : sendChanged(changed, conversation);
}

interface Changed {
  readonly columns: OpenRows['columns'];
  readonly rows: readonly Row[];
  readonly truncated: 'rows' | 'bytes' | undefined;
  readonly affectedRows: number;
}

async function changeInTransaction(
  database: Database,
  statement: RowStatement,
  request: StatementRequest,
  conversation: Conversation<SqliteTalk>,
): Promise<Changed> {
  database.exec('BEGIN IMMEDIATE');
  try {
    const changed = statement.reader ? readReturned(database, statement, request) : runPlain(statement);
    refuseTemporary(database);
    await conversation.askToCommit();
    database.exec('COMMIT');
    return changed;
  } finally {
    // Also after `INSERT OR ROLLBACK`, which ends the transaction by itself.
    if (database.inTransaction) database.exec('ROLLBACK');
  }
}

function runPlain(statement: RowStatement): Changed {
  return { columns: [], rows: [], truncated: undefined, affectedRows: statement.run().changes };
}

/** Reads what RETURNING gives, to its end: the caps cut what is kept, never what is changed. */
function readReturned(database: Database, statement: RowStatement, { maxRows, maxBytes }: StatementRequest): Changed {
  const { columns, first, rest } = startRows(statement);
  const rows: Row[] = [];
  let total = 0;
  let truncated: Changed['truncated'];
  for (let next = first; next.done !== true; next = rest.next()) {
    if (truncated !== undefined) continue;
    const row = toRow(next.value);
    const bytes = rowBytes(row);
    truncated = rows.length >= maxRows ? 'rows' : total + bytes > maxBytes ? 'bytes' : undefined;
    if (truncated !== undefined) continue;
    rows.push(row);
    total += bytes;
  }
  const affectedRows = database.prepare('SELECT changes()').pluck().get() as number;
  return { columns, rows, truncated, affectedRows };
}

/** A temporary table lives in this worker's connection only, and the next statement may meet another one. */
function refuseTemporary(database: Database): void {
  if (database.prepare('SELECT count(*) FROM temp.sqlite_schema').pluck().get() === 0) return;
  throw new RequestFailure({
    kind: 'refused',
    code: 'QUERY_REFUSED',
    message:
      'Temporary tables, views and triggers are refused: statements run on several connections, and the next one would not find them. Use a WITH clause, or a table of the database.',
  });
}

/** The change stands: whatever the caller does now, the answer is sent to its end. */
function sendChanged(
  { columns, rows, truncated, affectedRows }: Changed,
  conversation: Conversation<SqliteTalk>,
): LastAnswer<SqliteTalk> {
  conversation.send({ type: 'columns', columns });
  for (let start = 0; start < rows.length; start += SLICE_ROWS)
    conversation.send({ type: 'rows', rows: rows.slice(start, start + SLICE_ROWS) });
  return { type: 'end', affectedRows, truncated };
}
