import type { Access, Row } from '@askema/core';
import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import type { Answer, QueryRequest, RawColumn } from '../protocol.ts';
import { bindParameters } from './bind-parameters.ts';
import { createCells } from './cells.ts';
import type { Conversation } from './conversation.ts';
import type { Driver } from './driver.ts';
import { rowBytes } from './row-bytes.ts';
import { prepareStatement } from './statement-guard.ts';

/** A batch is sent when it has so many rows or so many bytes. */
const BATCH_ROWS = 512;
const BATCH_BYTES = 256 * 1024;

/**
 * Runs one statement. A read runs in a read-only transaction, which makes the engine refuse writes also where the database may be written or
 * lives in memory; a change is committed when the caller says so.
 */
export async function runQuery(
  driver: typeof Driver,
  connection: DuckDBConnection,
  request: QueryRequest,
  access: Access,
  conversation: Conversation,
): Promise<void> {
  const granted = request.access === 'write' && access === 'write' ? 'write' : 'read';
  const { statement, kind } = await prepareStatement(connection, request.sql, {
    access: granted,
    textRefusal: granted === 'read' ? request.textRefusal : undefined,
  });
  try {
    bindParameters(driver, statement, request.parameters);
    conversation.throwIfStopped();
    await connection.run(granted === 'read' ? 'BEGIN TRANSACTION READ ONLY' : 'BEGIN TRANSACTION');
    if (kind === 'read') await readInTransaction(driver, connection, statement, request, conversation);
    else await changeInTransaction(driver, connection, statement, request, conversation);
  } finally {
    statement.destroySync();
  }
}

async function readInTransaction(
  driver: typeof Driver,
  connection: DuckDBConnection,
  statement: DuckDBPreparedStatement,
  request: QueryRequest,
  conversation: Conversation,
): Promise<void> {
  let end: Answer;
  try {
    const result = await statement.stream();
    conversation.send({ type: 'columns', columns: columnsOf(result) });
    end = { type: 'end', truncated: await sendRows(driver, result, request, conversation) };
    // Where writing is granted, a query may have called nextval().
    await connection.run('COMMIT');
  } catch (thrown) {
    await rollBack(connection);
    throw thrown;
  }
  conversation.send(end);
}

async function changeInTransaction(
  driver: typeof Driver,
  connection: DuckDBConnection,
  statement: DuckDBPreparedStatement,
  request: QueryRequest,
  conversation: Conversation,
): Promise<void> {
  let end: Answer;
  try {
    const result = await statement.run();
    const returning = result.returnType === driver.ResultReturnType.QUERY_RESULT;
    conversation.send({ type: 'columns', columns: returning ? columnsOf(result) : [] });
    const truncated = returning ? await sendRows(driver, result, request, conversation) : undefined;
    await conversation.askToCommit();
    await connection.run('COMMIT');
    end = { type: 'end', truncated, affectedRows: returning ? result.rowCount : result.rowsChanged };
  } catch (thrown) {
    await rollBack(connection);
    throw thrown;
  }
  conversation.send(end);
}

/** An interrupt may hit this as well; then the transaction is over all the same, or the next try ends it. */
async function rollBack(connection: DuckDBConnection): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await connection.run('ROLLBACK');
      return;
    } catch (thrown) {
      if (!(thrown instanceof Error) || !thrown.message.includes('Interrupt')) return;
    }
  }
}

function columnsOf(result: DuckDBResult): readonly RawColumn[] {
  return result
    .columnTypes()
    .map((type, index) => ({ name: result.columnName(index), nativeType: type.alias ?? type.toString() }));
}

/** Sends rows until the result or a cap ends. Cells are decoded row by row, so that a row beyond a cap costs nothing. */
async function sendRows(
  driver: typeof Driver,
  result: DuckDBResult,
  { maxRows, maxBytes }: QueryRequest,
  conversation: Conversation,
): Promise<'rows' | 'bytes' | undefined> {
  const cellOf = createCells(driver);
  const types = result.columnTypes();
  let batch: Row[] = [];
  let batchBytes = 0;
  let rows = 0;
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await conversation.sendRows(batch);
    batch = [];
    batchBytes = 0;
  };
  for (;;) {
    const chunk = await result.fetchChunk();
    conversation.throwIfStopped();
    if (chunk === null || chunk.rowCount === 0) break;
    const vectors = types.map((_, index) => chunk.getColumnVector(index));
    for (let index = 0; index < chunk.rowCount; index += 1) {
      if (rows >= maxRows) {
        await flush();
        return 'rows';
      }
      const row = vectors.map((vector, column) => cellOf(vector.getItem(index), types[column]));
      const size = rowBytes(row);
      if (bytes + size > maxBytes) {
        await flush();
        return 'bytes';
      }
      rows += 1;
      bytes += size;
      batchBytes += size;
      batch.push(row);
      if (batch.length >= BATCH_ROWS || batchBytes >= BATCH_BYTES) await flush();
    }
    await flush();
  }
  await flush();
  return undefined;
}
