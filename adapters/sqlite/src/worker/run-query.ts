import type { Row } from '@askema/core';
import type { End, QueryRequest, RawColumn, StorageClass } from '../protocol.ts';
import { notReadOnly } from '../sql/statement-rule.ts';
import { sizeRow } from './cells.ts';
import type { Conversation } from './conversation.ts';
import type { Database, RowStatement } from './driver.ts';
import type { Handles } from './handles.ts';
import { bindParameters, prepareOne } from './prepare.ts';
import { RequestError } from './request-error.ts';

/** A batch is sent when it has so many rows or bytes, or when so much time has passed since the last one. */
const BATCH_ROWS = 512;
const BATCH_BYTES = 256 * 1024;
const BATCH_MS = 50;

/** Runs a statement that reads, on the handle that cannot write. */
export async function runReading(handles: Handles, request: QueryRequest, conversation: Conversation): Promise<End> {
  const rows = handles.read((reader) => openRows(reader, request));
  return sendRows(rows, request, conversation);
}

/** A statement that has made its first step. */
export interface OpenRows {
  readonly columns: readonly RawColumn[];
  readonly first: IteratorResult<readonly unknown[], unknown>;
  readonly rest: Iterator<readonly unknown[]>;
}

/** Prepares a statement that must only read, and makes its first step. */
export function openRows(database: Database, request: QueryRequest): OpenRows {
  const statement = prepareOne(database, request.sql, 'read');
  if (!statement.readonly || !statement.reader)
    throw new RequestError({ kind: 'refused', ...notReadOnly('The statement') });
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

/** Streams columns and rows within the caps. */
async function sendRows(
  { columns, first, rest }: OpenRows,
  { maxRows, maxBytes }: Pick<QueryRequest, 'maxRows' | 'maxBytes'>,
  conversation: Conversation,
): Promise<End> {
  conversation.send({ type: 'columns', columns });
  let batch: Row[] = [];
  let batchBytes = 0;
  let sentAt = performance.now();
  let count = 0;
  let total = 0;
  let truncated: 'rows' | 'bytes' | undefined;
  try {
    for (let next = first; next.done !== true; next = rest.next()) {
      const { row, bytes } = sizeRow(next.value);
      truncated = count >= maxRows ? 'rows' : total + bytes > maxBytes ? 'bytes' : undefined;
      if (truncated !== undefined) break;
      batch.push(row);
      count += 1;
      total += bytes;
      batchBytes += bytes;
      if (batch.length < BATCH_ROWS && batchBytes < BATCH_BYTES && performance.now() - sentAt < BATCH_MS) continue;
      await conversation.sendRows(batch);
      batch = [];
      batchBytes = 0;
      sentAt = performance.now();
    }
    if (batch.length > 0) await conversation.sendRows(batch);
  } finally {
    rest.return?.();
  }
  return { type: 'end', truncated };
}
