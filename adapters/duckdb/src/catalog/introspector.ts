import type { Introspector } from '@askema/core';
import type { Engine } from '../duckdb.ts';
import { explainFailure } from '../errors/explain-failure.ts';
import { requestValue } from '../pool/run-request.ts';
import type { RawCatalog } from '../protocol.ts';
import { draftCatalog } from './draft-catalog.ts';
import { withRowCounts } from './row-counts.ts';

/** Reads the catalog in four statements of one transaction, then counts rows as far as the time for that goes. */
export function createIntrospector(engine: Engine): Introspector {
  const { pool, options, opened } = engine;
  return {
    async introspect({ include, context }) {
      const limits = { timeoutMs: options.introspectTimeoutMs, signal: context.signal, what: 'Reading the catalog' };
      const explain = (failure: Parameters<typeof explainFailure>[0]) => explainFailure(failure, undefined);
      const raw = await requestValue<RawCatalog>(pool, { type: 'catalog' }, limits, explain);
      const estimates = new Map<string, number>();
      const catalog = draftCatalog(raw, { name: options.name, opened: opened(), include, estimates });
      return withRowCounts(engine, catalog, estimates, context);
    },
  };
}
