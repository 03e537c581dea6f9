import {
  type DataType,
  type ExecuteOptions,
  logicalType,
  type QueryExecutor,
  type ResultColumn,
  type ResultEvent,
  throwIfNotWritable,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { explainFailure } from './errors/explain.ts';
import type { ResolvedOptions } from './options.ts';
import { runRequest } from './pool/run-request.ts';
import type { WorkerPool } from './pool/worker-pool.ts';
import type { RawColumn, StorageClass } from './protocol.ts';

/** Runs statements on the pool; see `QueryExecutor` of core. */
export function createExecutor(pool: WorkerPool, options: ResolvedOptions): QueryExecutor {
  return { execute: (sql, execute) => executeStatement(pool, options, sql, execute) };
}

async function* executeStatement(
  pool: WorkerPool,
  { file, name, access }: ResolvedOptions,
  sql: string,
  execute: ExecuteOptions,
): AsyncGenerator<ResultEvent> {
  throwIfNotWritable({ name, access }, execute.access, "it with `sqlite({ file, access: 'write' })`");
  const request = {
    type: 'query',
    sql,
    access: execute.access,
    parameters: execute.parameters,
    maxRows: execute.maxRows,
    maxBytes: execute.maxBytes,
  } as const;
  const limits = { timeoutMs: execute.timeoutMs, signal: execute.context.signal, sql, what: 'The query' };
  for await (const answer of runRequest(pool, request, limits, (failure) => explainFailure(failure, file, sql))) {
    if (answer.type === 'columns') yield { type: 'columns', columns: answer.columns.map(toColumn) };
    else if (answer.type !== 'value') yield answer;
  }
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
