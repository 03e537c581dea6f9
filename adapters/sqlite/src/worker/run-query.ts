import {
  type Conversation,
  type LastAnswer,
  RequestFailure,
  type StatementRequest,
  sendRows,
} from '@askema/adapter-kit/process';
import type { Row } from '@askema/core';
import type { RawColumn, SqliteTalk, StorageClass } from '../protocol.ts';
import { notReadOnly } from '../sql/statement-rule.ts';
import { toRow } from './cells.ts';
import type { Database, RowStatement } from './driver.ts';
import type { Handles } from './handles.ts';
import { bindParameters, prepareOne } from './prepare.ts';

/** Runs a statement that reads, on the handle that cannot write. */
export async function runReading(
  handles: Handles,
  request: StatementRequest,
  conversation: Conversation<SqliteTalk>,
): Promise<LastAnswer<SqliteTalk>> {
  const open = handles.read((reader) => openRows(reader, request));
  const rows = rowsOf(open);
  try {
    conversation.send({ type: 'columns', columns: open.columns });
    return { type: 'end', truncated: await sendRows(conversation, [rows], request) };
  } finally {
    rows.return(undefined);
  }
}

/** A statement that has made its first step. */
export interface OpenRows {
  readonly columns: readonly RawColumn[];
  readonly first: IteratorResult<readonly unknown[], unknown>;
  readonly rest: Iterator<readonly unknown[]>;
}

/** Prepares a statement that must only read, and makes its first step. */
export function openRows(database: Database, request: StatementRequest): OpenRows {
  const statement = prepareOne(database, request.sql, 'read');
  if (!statement.readonly || !statement.reader) throw new RequestFailure(notReadOnly('The statement'));
  bindParameters(statement, request);
  return startRows(statement);
}

/** Makes the first step of a statement that returns rows. */
export function startRows(statement: RowStatement): OpenRows {
  const described = statement.columns();
  const rest = statement.iterate();
  const first = rest.next();
  const cells: readonly unknown[] = first.done === true ? [] : first.value;
  const columns = described.map(({ name, type, table, column }, index) => ({
    name,
    nativeType: type ?? '',
    relation: table,
    attribute: column,
    storage: storageOf(cells[index]),
  }));
  return { columns, first, rest };
}

function storageOf(cell: unknown): StorageClass {
  if (cell === null || cell === undefined) return 'null';
  if (typeof cell === 'string') return 'text';
  return typeof cell === 'object' ? 'blob' : 'number';
}

/** The rows one by one; who takes no more of them ends the statement. */
function* rowsOf({ first, rest }: OpenRows): Generator<Row> {
  try {
    for (let next = first; next.done !== true; next = rest.next()) yield toRow(next.value);
  } finally {
    rest.return?.();
  }
}
