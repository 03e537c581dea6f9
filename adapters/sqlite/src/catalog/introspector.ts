import { statementRequest, withRowCounts } from '@askema/adapter-kit';
import type { Introspector } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { Database } from '../database.ts';
import type { RawCatalog, RawEstimate } from '../protocol.ts';
import { buildCatalog } from './build-catalog.ts';
import { withColumns } from './read-columns.ts';

/** SQLite takes at most 500 terms in a compound SELECT (https://sqlite.org/limits.html). */
const TERMS = 400;

/** Reads the catalog in a worker, and counts the rows of its tables; of others ANALYZE has estimates. */
export function createIntrospector({ client, options }: Database): Introspector {
  const { name, introspectTimeoutMs, rowCountTimeoutMs } = options;
  return {
    async introspect({ include, context: { signal } }) {
      const limits = { timeoutMs: introspectTimeoutMs, signal, what: 'Reading the catalog' };
      const schema = await client.value<RawCatalog>({ type: 'catalog' }, limits);
      const raw = await withColumns(client, schema, { ...limits, timeoutMs: introspectTimeoutMs / 2 });
      const estimates = new Map(raw.estimates.map(([relation, statistic]) => [relation, estimateOf(statistic)]));
      return withRowCounts(buildCatalog(raw, name, include), {
        dialect: sqliteDialect,
        timeoutMs: rowCountTimeoutMs,
        signal,
        isCounted: ({ kind }) => kind === 'table',
        perStatement: TERMS,
        estimate: ({ nameParts }) => estimates.get(nameParts.relation),
        run: (sql, limits) => client.rows(statementRequest(sql), limits),
      });
    },
  };
}

function estimateOf(statistic: RawEstimate[1]): number | undefined {
  const rows = /^\d+/.exec(statistic)?.[0];
  return rows === undefined ? undefined : Number(rows);
}
