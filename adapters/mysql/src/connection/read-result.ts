import type { Socket } from 'node:net';
import { createRowStream, type RowStream } from '@askema/adapter-kit';
import type { Row } from '@askema/core';
import type { Connection as Driver, FieldPacket } from 'mysql2';

/** The result of one statement, as it comes. */
export interface ResultReader extends Pick<RowStream, 'batches' | 'ended' | 'leave'> {
  /** The columns; empty for a statement that gives no rows. */
  readonly fields: Promise<readonly FieldPacket[]>;
  /** Rows that a statement without columns has changed. */
  affectedRows(): number | undefined;
  /** A row was larger than it may be: it was not collected, and the connection is gone. */
  exceeded(): boolean;
}

/** GEOMETRY and VECTOR as the bytes that are stored; the driver would make objects of them, and lose the SRID. */
function typeCast(field: { readonly type: string; buffer(): Buffer | null }, next: () => unknown): unknown {
  return field.type === 'GEOMETRY' || field.type === 'VECTOR' ? field.buffer() : next();
}

/** Executes a prepared statement. A row of more bytes than `maxRowBytes` ends the connection. */
export function readResult(driver: Driver, sql: string, values: readonly unknown[], maxRowBytes: number): ResultReader {
  const socket = (driver as unknown as { readonly stream: Socket }).stream;
  const rows = createRowStream(driver);
  const fields = Promise.withResolvers<readonly FieldPacket[]>();
  fields.promise.catch(() => undefined);
  /** Bytes of the wire since the last row; undefined before the columns have come. */
  let unread: number | undefined;
  let affectedRows: number | undefined;
  const exceeded = (): boolean => (unread ?? 0) > maxRowBytes;
  const count = (chunk: Buffer): void => {
    if (unread !== undefined) unread += chunk.length;
    if (!exceeded()) return;
    socket.off('data', count).destroy();
    // The rows that came before it are handed over.
    process.nextTick(rows.end);
  };
  const fail = (error = new Error('The connection was closed.')): void => {
    fields.reject(error);
    rows.fail(error);
  };
  socket.prependListener('data', count);
  driver.on('error', fail).on('end', fail);
  const forget = (): void => {
    socket.off('data', count);
    driver.off('error', fail).off('end', fail);
  };
  rows.ended.then(forget, forget);
  driver
    .execute({ sql, rowsAsArray: true, values, typeCast } as never)
    .on('fields', (found: readonly FieldPacket[] | undefined) => {
      unread = 0;
      fields.resolve(found ?? []);
    })
    .on('result', (row: Row | { readonly affectedRows?: number }) => {
      if (Array.isArray(row)) rows.push(row as Row);
      else affectedRows = (row as { readonly affectedRows?: number }).affectedRows;
      if (!exceeded()) unread = 0;
    })
    .on('error', fail)
    .on('end', rows.end);
  return { ...rows, fields: fields.promise, affectedRows: () => affectedRows, exceeded };
}
