import type { Socket } from 'node:net';
import { createRowStream, type RowStream } from '@askema/adapter-kit';
import type { Row } from '@askema/core';
import type { Connection as Driver, FieldPacket } from 'mysql2';

/** The result of one statement, as it comes; no columns for a statement that gives no rows. */
export interface ResultReader extends RowStream<readonly FieldPacket[]> {
  /** Rows that a statement without columns has changed. */
  affectedRows(): number | undefined;
}

export function socketOf(driver: Driver): Socket {
  return (driver as unknown as { readonly stream: Socket }).stream;
}

/** GEOMETRY and VECTOR as the bytes that are stored; the driver would make objects of them, and lose the SRID. */
function typeCast(field: { readonly type: string; buffer(): Buffer | null }, next: () => unknown): unknown {
  return field.type === 'GEOMETRY' || field.type === 'VECTOR' ? field.buffer() : next();
}

/** Executes a prepared statement. A row of more bytes than `maxRowBytes` ends the connection. */
export function readResult(driver: Driver, sql: string, values: readonly unknown[], maxRowBytes: number): ResultReader {
  const stream = createRowStream<readonly FieldPacket[]>(driver, socketOf(driver), maxRowBytes);
  let affectedRows: number | undefined;
  driver
    .execute({ sql, rowsAsArray: true, values, typeCast } as never)
    .on('fields', (fields: readonly FieldPacket[] | undefined) => stream.begin(fields ?? []))
    .on('result', (row: Row | { readonly affectedRows?: number }) => {
      if (Array.isArray(row)) stream.push(row as Row);
      else affectedRows = (row as { readonly affectedRows?: number }).affectedRows;
    })
    .on('error', stream.fail)
    .on('end', stream.end);
  return { ...stream, affectedRows: () => affectedRows };
}
