import {
  type ExecuteOptions,
  invalidOption,
  logicalType,
  type QueryExecutor,
  type ResultEvent,
  throwIfNotWritable,
} from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { readOnlyText } from '@askema/sql';
import { explainFailure } from './errors/explain-failure.ts';
import type { ResolvedOptions } from './options.ts';
import type { EnginePool } from './pool/engine-pool.ts';
import { runRequest } from './pool/run-request.ts';

/** Runs statements in the engine's process; see `QueryExecutor` of core. */
export function createExecutor(pool: EnginePool, options: ResolvedOptions): QueryExecutor {
  return { execute: (sql, execute) => executeStatement(pool, options, sql, execute) };
}

async function* executeStatement(
  pool: EnginePool,
  { name, access, place }: ResolvedOptions,
  sql: string,
  execute: ExecuteOptions,
): AsyncGenerator<ResultEvent> {
  if (execute.access === 'write' && place.type === 'files')
    throw invalidOption(`The data files ${name} can only be read, and this call asks for \`access: 'write'\`.`);
  throwIfNotWritable({ name, access }, execute.access, "it with `duckdb({ file, access: 'write' })`");
  const request = {
    type: 'query',
    sql,
    access: execute.access,
    parameters: execute.parameters,
    maxRows: execute.maxRows,
    maxBytes: execute.maxBytes,
    textRefusal: execute.access === 'read' ? textRefusal(sql) : undefined,
  } as const;
  const limits = { timeoutMs: execute.timeoutMs, signal: execute.context.signal, sql, what: 'The query' };
  for await (const answer of runRequest(pool, request, limits, (failure) => explainFailure(failure, sql))) {
    if (answer.type === 'columns')
      yield {
        type: 'columns',
        columns: answer.columns.map((column) => ({ ...column, type: logicalType(column.nativeType, duckdbDialect) })),
      };
    else if (answer.type !== 'value') yield answer;
  }
}

/** Why a text is not known to read only. */
export function textRefusal(sql: string): string | undefined {
  const verdict = readOnlyText(sql, duckdbDialect.lexer);
  return verdict.ok ? undefined : verdict.reason;
}
