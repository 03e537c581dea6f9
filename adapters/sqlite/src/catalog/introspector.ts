import { AskemaError, type Introspector } from '@askema/core';
import { explainFailure } from '../errors/explain.ts';
import type { ResolvedOptions } from '../options.ts';
import { runRequest } from '../pool/run-request.ts';
import type { WorkerPool } from '../pool/worker-pool.ts';
import type { RawCatalog } from '../protocol.ts';
import { buildCatalog } from './build-catalog.ts';
import { withRowCounts } from './row-counts.ts';

/** Reads the catalog in a worker; see `Introspector` of core. */
export function createIntrospector(pool: WorkerPool, options: ResolvedOptions): Introspector {
  return {
    async introspect({ include, context }) {
      const limits = { timeoutMs: options.introspectTimeoutMs, signal: context.signal, what: 'Reading the catalog' };
      let raw: RawCatalog | undefined;
      for await (const answer of runRequest(pool, { type: 'catalog' }, limits, (failure) =>
        explainFailure(failure, options.file, undefined),
      ))
        if (answer.type === 'value') raw = answer.value as RawCatalog;
      if (raw === undefined) throw new AskemaError('INTERNAL', 'The worker process sent no catalog.');
      const catalog = buildCatalog(raw, options.name, include);
      return withRowCounts(pool, options, catalog, raw.estimates, context);
    },
  };
}
