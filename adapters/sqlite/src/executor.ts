import { executorOf, statementRequest } from '@askema/adapter-kit';
import { type DataType, logicalType, type QueryExecutor, type ResultColumn } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { Database } from './database.ts';
import type { RawColumn, StorageClass } from './protocol.ts';

/** Runs statements in the workers; see `QueryExecutor` of core. */
export function createExecutor({ options, client }: Database): QueryExecutor {
  return executorOf(options, "it with `sqlite({ file, access: 'write' })`", (sql, execute, limits) =>
    client.events(statementRequest(sql, execute), limits, toColumn),
  );
}

function toColumn({ name, nativeType, relation, attribute, storage }: RawColumn): ResultColumn {
  const type = nativeType === '' ? BY_STORAGE[storage] : logicalType(nativeType, sqliteDialect);
  return relation === null || attribute === null
    ? { name, nativeType, type }
    : { name, nativeType, type, source: { relation, attribute } };
}

/** Expressions have no declared type; their first value tells. */
const BY_STORAGE: Readonly<Record<StorageClass, DataType>> = {
  number: 'NUMERIC',
  text: 'TEXT',
  blob: 'BINARY',
  null: 'TEXT',
};
