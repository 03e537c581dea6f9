import { statementRequest } from '@askema/adapter-kit';
import { invalidOption, logicalType, type QueryExecutor, throwIfNotWritable } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { readOnlyText } from '@askema/sql';
import type { Engine } from './engine.ts';

/** Runs statements in the engine's process; see `QueryExecutor` of core. */
export function createExecutor({ client, options }: Engine): QueryExecutor {
  return {
    async *execute(sql, execute) {
      const { access, timeoutMs, context } = execute;
      if (access === 'write' && options.place.type === 'files')
        throw invalidOption(
          `The data files ${options.name} can only be read, and this call asks for \`access: 'write'\`.`,
        );
      throwIfNotWritable(options, access, "it with `duckdb({ file, access: 'write' })`");
      const request = {
        ...statementRequest(sql, execute),
        textRefusal: access === 'read' ? textRefusal(sql) : undefined,
      };
      const limits = { timeoutMs, signal: context.signal, sql, what: 'The query' };
      yield* client.events(request, limits, (column) => ({
        ...column,
        type: logicalType(column.nativeType, duckdbDialect),
      }));
    },
  };
}

/** Why a text is not known to read only. */
export function textRefusal(sql: string): string | undefined {
  const verdict = readOnlyText(sql, duckdbDialect.lexer);
  return verdict.ok ? undefined : verdict.reason;
}
