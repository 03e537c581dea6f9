import type { Parameter, Row, Value } from '@askema/core';
import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import type { Answer, QueryRequest, RawColumn } from '../protocol.ts';
import { createCells } from './cells.ts';
import type { Conversation } from './conversation.ts';
import type { Driver } from './driver.ts';
import type { Engine } from './open-engine.ts';
import { RequestFailure } from './request-failure.ts';
import { prepareStatement } from './statement-guard.ts';

/** A batch is sent when it has so many rows or so many bytes. */
const BATCH_ROWS = 512;
const BATCH_BYTES = 256 * 1024;

const LEAST_BIGINT = -(2n ** 63n);
const MOST_BIGINT = 2n ** 63n - 1n;

/**
 * Runs one statement. A read runs in a read-only transaction, which makes the engine refuse writes also where the
 * database may be written or lives in memory; a change is committed when the caller says so.
 */
export async function runQuery(
  driver: typeof Driver,
  { access, guard }: Engine,
  connection: DuckDBConnection,
  request: QueryRequest,
  conversation: Conversation,
): Promise<void> {
  const granted = request.access === 'write' && access === 'write' ? 'write' : 'read';
  const { statement, kind } = await prepareStatement(connection, request.sql, {
    access: granted,
    guard,
    textRefusal: granted === 'read' ? request.textRefusal : undefined,
  });
  try {
    bindParameters(driver, statement, request.parameters);
    conversation.throwIfStopped();
    await connection.run(granted === 'read' ? 'BEGIN TRANSACTION READ ONLY' : 'BEGIN TRANSACTION');
    if (kind === 'read') await readInTransaction(driver, connection, statement, request, conversation);
    else await changeInTransaction(driver, connection, statement, request, conversation);
  } finally {
    if (granted === 'write') guard.forget();
    statement.destroySync();
  }
}

/** Binds all parameters, by position or by name; too few or too many fail. */
function bindParameters(
  driver: typeof Driver,
  statement: DuckDBPreparedStatement,
  parameters: QueryRequest['parameters'],
): void {
  const count = statement.parameterCount;
  const names = Array.from({ length: count }, (_, index) => statement.parameterName(index + 1));
  const values = parameters ?? [];
  if (Array.isArray(values)) {
    if (values.length !== count) throw misfit(`the statement has ${count}, and ${values.length} were given`);
    for (const [index, value] of values.entries()) bind(driver, statement, index + 1, value as Parameter);
    return;
  }
  const given = new Map(
    Object.entries(values).map(([name, value]) => [name.replace(/^[$:@]/, '').toLowerCase(), value]),
  );
  for (const [index, name] of names.entries()) {
    const value = given.get(name.toLowerCase());
    if (value === undefined) throw misfit(`nothing was given for $${name}`);
    given.delete(name.toLowerCase());
    bind(driver, statement, index + 1, value);
  }
  const [extra] = given.keys();
  if (extra !== undefined) throw misfit(`the statement has no $${extra}`);
}

function bind(driver: typeof Driver, statement: DuckDBPreparedStatement, index: number, value: Parameter): void {
  if (value === null || value === undefined) statement.bindNull(index);
  else if (typeof value === 'string') statement.bindVarchar(index, value);
  else if (typeof value === 'boolean') statement.bindBoolean(index, value);
  else if (value instanceof Uint8Array) statement.bindBlob(index, value);
  else if (typeof value === 'number' && !Number.isSafeInteger(value)) statement.bindDouble(index, value);
  else {
    const whole = BigInt(value);
    if (whole >= LEAST_BIGINT && whole <= MOST_BIGINT) statement.bindBigInt(index, whole);
    else if (whole >= driver.DuckDBHugeIntType.Min && whole <= driver.DuckDBHugeIntType.Max)
      statement.bindHugeInt(index, whole);
    else statement.bindBigNum(index, whole);
  }
}

function misfit(message: string): RequestFailure {
  return new RequestFailure({ kind: 'parameters', message });
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

/**
 * Sends rows until the result or a cap ends. Cells are decoded row by row, so that a row beyond a cap costs nothing.
 */
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

/** About what a row takes, as `rowBytes` of core sizes it; this process loads nothing of core. */
function rowBytes(row: Row): number {
  let bytes = 0;
  for (const value of row) bytes += valueBytes(value);
  return bytes;
}

function valueBytes(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (value instanceof Uint8Array) return value.byteLength;
  if (value === null || typeof value === 'boolean') return 1;
  if (typeof value === 'object') return Buffer.byteLength(JSON.stringify(value));
  return 8;
}
