import {
  type Adapter,
  AskemaError,
  boundedRows,
  checkWhole,
  createCallContext,
  type Outcome,
  type QueryResult,
  type RowStream,
  rowStream,
  throwIfAborted,
} from '@askema/core';
import type { StreamOptions } from './text2sql-options.ts';

/** See `Text2Sql.stream`. */
export async function streamRows(
  adapter: Adapter,
  source: Outcome | string,
  options: StreamOptions & { readonly timeoutMs: number },
): Promise<RowStream> {
  const { maxRows = Number.MAX_SAFE_INTEGER, maxBytes = Number.MAX_SAFE_INTEGER, timeoutMs, signal } = options;
  checkWhole('maxRows', maxRows);
  checkWhole('maxBytes', maxBytes);
  const { sql, result } = chosenStatement(source);
  if (result !== undefined && (result.truncated === undefined || result.rows.length >= maxRows)) {
    throwIfAborted(signal, 'The query');
    return rowStream(heldRows(result, maxRows, maxBytes));
  }
  const { tags, tenant } = options;
  const context = createCallContext({ path: 'stream', signal, ...(tags === undefined ? {} : { tags }), tenant });
  return adapter.stream(sql, { maxRows, maxBytes, timeoutMs, access: 'read', context });
}

function chosenStatement(source: Outcome | string): { readonly sql: string; readonly result?: QueryResult } {
  if (typeof source === 'string') {
    if (source.trim() === '') throw new AskemaError('INPUT_INVALID', 'The statement to stream is empty.');
    return { sql: source };
  }
  if (source?.type === 'answered') return source;
  throw new AskemaError(
    'INPUT_INVALID',
    `Only an outcome that is \`answered\` has rows to stream, and this one is ${JSON.stringify(source?.type)}. Ask anew, or pass the SQL of a read.`,
  );
}

function heldRows(
  { columns, rows, elapsedMs: _, truncated, ...figures }: QueryResult,
  maxRows: number,
  maxBytes: number,
) {
  return boundedRows([rows], { columns, maxRows, maxBytes, cut: () => truncated, end: () => figures });
}
