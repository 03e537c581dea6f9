import { statementRequest, withRowCounts } from '@askema/adapter-kit';
import type { Introspector } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import type { Engine } from '../engine.ts';
import type { RawCatalog } from '../protocol.ts';
import { draftCatalog, qualified } from './draft-catalog.ts';

/** So many counts stand in one statement; the first ones are there while later ones are still made. */
const TERMS = 200;

/**
 * Reads the catalog in four statements of one transaction, then counts rows as far as the time for that goes. Tables
 * and Parquet files are counted by what is stored beside their rows, CSV and JSON files are read. Views of a database
 * are not counted.
 */
export function createIntrospector({ client, options, opened }: Engine): Introspector {
  const { name, introspectTimeoutMs, rowCountTimeoutMs } = options;
  return {
    async introspect({ include, context: { signal } }) {
      const limits = { timeoutMs: introspectTimeoutMs, signal, what: 'Reading the catalog' };
      const raw = await client.value<RawCatalog>({ type: 'catalog' }, limits);
      const estimates = new Map<string, number>();
      return withRowCounts(draftCatalog(raw, { name, opened: opened(), include, estimates }), {
        dialect: duckdbDialect,
        timeoutMs: rowCountTimeoutMs,
        signal,
        isCounted: ({ kind }) => kind !== 'view',
        perStatement: TERMS,
        // Files are read one after another, so that what was counted is not lost with what was not.
        isAlone: ({ kind }) => kind === 'external table',
        estimate: ({ nameParts }) => estimates.get(qualified(nameParts)),
        run: (sql, limits) => client.rows(statementRequest(sql), limits),
      });
    },
  };
}
