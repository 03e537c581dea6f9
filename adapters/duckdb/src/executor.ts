import { executorOf, statementRequest, throwIfTooDeep } from '@askema/adapter-kit';
import { logicalType, type QueryExecutor } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { readOnlyText } from '@askema/sql';
import type { Engine } from './engine.ts';

/** Runs statements in the engine's process; see `QueryExecutor` of core. */
export function createExecutor({ client, options }: Engine): QueryExecutor {
  const opened = options.place.type === 'files' ? 'a DuckDB database, because data files can only be read,' : 'it';
  return executorOf(options, `${opened} with \`duckdb({ file, access: 'write' })\``, (sql, execute, limits) => {
    throwIfTooDeep(sql, duckdbDialect.lexer);
    const refusal = execute.access === 'read' ? textRefusal(sql) : undefined;
    const request = { ...statementRequest(sql, execute), textRefusal: refusal };
    return client.events(request, limits, (column) => ({
      ...column,
      type: logicalType(column.nativeType, duckdbDialect),
    }));
  });
}

/** Why a text is not known to read only. */
export function textRefusal(sql: string): string | undefined {
  const verdict = readOnlyText(sql, duckdbDialect.lexer);
  return verdict.ok ? undefined : verdict.reason;
}
