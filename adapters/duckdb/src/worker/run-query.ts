import { type Conversation, type LastAnswer, RequestFailure, sendRows } from '@askema/adapter-kit/process';
import type { Parameter, Row } from '@askema/core';
import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import type { DuckdbTalk, EngineFailure, QueryRequest, RawColumn } from '../protocol.ts';
import { createCells } from './cells.ts';
import type { Driver } from './driver.ts';
import { failureOf } from './engine-failure.ts';
import type { Engine } from './open-engine.ts';
import { prepareStatement } from './statement-guard.ts';

const LEAST_BIGINT = -(2n ** 63n);
const MOST_BIGINT = 2n ** 63n - 1n;

/**
 * Runs one statement. Where the database may be written or lives in memory, a read runs in a read-only transaction,
 * which makes the engine refuse writes; a change is committed when the caller says so. A database that was opened
 * read-only needs no transaction, which would take as long as a short statement.
 */
export async function runQuery(
  driver: typeof Driver,
  { access, isReadOnly, guard, memory }: Engine,
  connection: DuckDBConnection,
  request: QueryRequest,
  conversation: Conversation<DuckdbTalk>,
): Promise<LastAnswer<DuckdbTalk>> {
  const granted = request.access === 'write' && access === 'write' ? 'write' : 'read';
  const { statement, kind } = await prepareStatement(connection, request.sql, {
    access: granted,
    guard,
    memory,
    textRefusal: granted === 'read' ? request.textRefusal : undefined,
  });
  let isWhole = false;
  try {
    bindParameters(driver, statement, request.parameters);
    conversation.throwIfStopped();
    const begin = isReadOnly ? undefined : granted === 'read' ? 'BEGIN TRANSACTION READ ONLY' : 'BEGIN TRANSACTION';
    if (begin !== undefined) await connection.run(begin);
    const run = kind === 'read' ? readRows : changeRows;
    try {
      const end = await run(driver, statement, request, conversation);
      if (begin !== undefined) await connection.run('COMMIT');
      // Rows that nobody fetches are held until the connection does something else.
      else if (end.type === 'end' && end.truncated !== undefined) await rollBack(connection);
      isWhole = end.type === 'end' && end.truncated === undefined;
      return end;
    } catch (thrown) {
      await rollBack(connection);
      throw thrown instanceof RowsBrokeOff ? await reasonOf(driver, connection, request, begin) : thrown;
    }
  } finally {
    if (granted === 'write') guard.forget();
    if (memory !== undefined && isWhole) memory.keepStatement(connection, request.sql, statement);
    else statement.destroySync();
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

/** The transaction is committed as well: where writing is granted, a query may have called nextval(). */
async function readRows(
  driver: typeof Driver,
  statement: DuckDBPreparedStatement,
  request: QueryRequest,
  conversation: Conversation<DuckdbTalk>,
): Promise<LastAnswer<DuckdbTalk>> {
  const result = await statement.stream();
  conversation.send({ type: 'columns', columns: columnsOf(result) });
  const truncated = await sendRows(conversation, chunksOf(driver, result, conversation), request);
  // The driver ends the rows of a statement that fails as if they were whole; only this tells, and not why.
  if (result.returnType === driver.ResultReturnType.INVALID) throw new RowsBrokeOff();
  return { type: 'end', truncated };
}

/** Some rows were sent when the statement failed. */
class RowsBrokeOff extends Error {}

const RUN_WITHOUT_ROWS = 'EXPLAIN ANALYZE ';

/**
 * Why the rows of a statement broke off: it is run again in a transaction of its own, and its rows are not kept. One
 * that is stopped meanwhile fails by that.
 */
async function reasonOf(
  driver: typeof Driver,
  connection: DuckDBConnection,
  { sql, parameters }: QueryRequest,
  begin: string | undefined,
): Promise<RequestFailure<EngineFailure>> {
  let again: DuckDBPreparedStatement | undefined;
  try {
    again = await connection.prepare(RUN_WITHOUT_ROWS + sql);
    bindParameters(driver, again, parameters);
    if (begin !== undefined) await connection.run(begin);
    await again.run();
  } catch (thrown) {
    const { position, ...failure } = failureOf(thrown);
    // It broke the engine, which now has only this to say.
    const [, original] = /database has been invalidated.*?Original error: "(.*)"/s.exec(failure.message) ?? [];
    if (original !== undefined)
      return new RequestFailure({ kind: 'engine', vendorCode: 'INTERNAL', message: original });
    return new RequestFailure({
      ...failure,
      position: position === undefined ? undefined : position - RUN_WITHOUT_ROWS.length,
    });
  } finally {
    again?.destroySync();
    await rollBack(connection);
  }
  const message = 'The rows broke off, and the statement runs to its end when it is tried again';
  return new RequestFailure({ kind: 'engine', vendorCode: 'Unknown', message });
}

async function changeRows(
  driver: typeof Driver,
  statement: DuckDBPreparedStatement,
  request: QueryRequest,
  conversation: Conversation<DuckdbTalk>,
): Promise<LastAnswer<DuckdbTalk>> {
  const result = await statement.run();
  const returning = result.returnType === driver.ResultReturnType.QUERY_RESULT;
  conversation.send({ type: 'columns', columns: returning ? columnsOf(result) : [] });
  const chunks = returning ? chunksOf(driver, result, conversation) : [];
  const truncated = await sendRows(conversation, chunks, request);
  await conversation.askToCommit();
  return { type: 'end', truncated, affectedRows: returning ? result.rowCount : result.rowsChanged };
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

/** The rows of each chunk. Cells are decoded row by row, so that a row beyond a cap costs nothing. */
async function* chunksOf(
  driver: typeof Driver,
  result: DuckDBResult,
  conversation: Conversation<DuckdbTalk>,
): AsyncGenerator<Iterable<Row>> {
  const cellOf = createCells(driver);
  const types = result.columnTypes();
  for (;;) {
    const chunk = await result.fetchChunk();
    conversation.throwIfStopped();
    if (chunk === null || chunk.rowCount === 0) return;
    const vectors = types.map((_, index) => chunk.getColumnVector(index));
    const rowAt = (index: number): Row => vectors.map((vector, column) => cellOf(vector.getItem(index), types[column]));
    yield (function* () {
      for (let index = 0; index < chunk.rowCount; index += 1) yield rowAt(index);
    })();
  }
}
