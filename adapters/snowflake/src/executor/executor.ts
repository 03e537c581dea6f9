import {
  boundedRows,
  type ExecuteOptions,
  type QueryExecutor,
  type ResultEvent,
  startLimits,
  throwIfNotWritable,
} from '@askema/core';
import type { SnowflakeSession } from '../connection/session.ts';
import type { ResolvedOptions } from '../options.ts';
import { refuseChange, refuseFileTransfer } from './read-only.ts';
import type { ReadViews } from './read-views.ts';

/** Runs statements on sessions of the pool; see `QueryExecutor` of core. */
export function createExecutor(
  session: SnowflakeSession,
  options: ResolvedOptions,
  readViews: ReadViews,
): QueryExecutor {
  return { execute: (sql, execute) => executeStatement(session, options, readViews, sql, execute) };
}

async function* executeStatement(
  session: SnowflakeSession,
  { access, allowFunctions, name }: ResolvedOptions,
  readViews: ReadViews,
  sql: string,
  { access: asked, parameters, context, maxRows, maxBytes, timeoutMs }: ExecuteOptions,
): AsyncGenerator<ResultEvent, void, void> {
  throwIfNotWritable({ name, access }, asked, "it with `snowflake({ …, access: 'write' })`");
  refuseFileTransfer(sql);
  const limits = startLimits({ timeoutMs, signal: context.signal, what: 'The query', sql });
  try {
    limits.throwIfOver();
    const query = { parameters, limits, context };
    if (asked === 'read') await refuseChange(session, sql, query, allowFunctions, readViews);
    const { columns, rows, queryId, affectedRows } = await session.stream(sql, query);
    const end = (): object => ({ queryId, ...(affectedRows !== undefined && { affectedRows }) });
    yield* boundedRows(rows, { columns, maxRows, maxBytes, end });
  } finally {
    limits.release();
  }
}
