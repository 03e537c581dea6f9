import {
  buildCatalog,
  type CallContext,
  type CallLimits,
  type Catalog,
  type Introspector,
  startLimits,
} from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { SessionPool } from '../connection/session-pool.ts';
import { openTransaction } from '../connection/transaction.ts';
import { statementFailure } from '../errors/statement-failure.ts';
import type { ExecutionScope } from '../executor.ts';
import { withNestedFields } from './nested-fields.ts';
import { readCatalog } from './read-catalog.ts';
import { withRowCounts } from './row-counts.ts';
import { withSizes } from './table-sizes.ts';

/** Reads the catalog in one transaction, so that it is of one moment; see `Introspector` of core. */
export function createIntrospector(pool: SessionPool, scope: ExecutionScope): Introspector {
  return {
    async introspect({ include, context }) {
      const limits = startLimits({
        timeoutMs: pool.options.introspectTimeoutMs,
        signal: context.signal,
        what: 'Reading the catalog',
      });
      try {
        return await introspect(pool, scope, include, context, limits);
      } finally {
        limits.release();
      }
    },
  };
}

async function introspect(
  pool: SessionPool,
  scope: ExecutionScope,
  include: readonly string[] | undefined,
  context: CallContext,
  limits: CallLimits,
): Promise<Catalog> {
  const { name, schemas, introspectTimeoutMs } = pool.options;
  const transaction = await openTransaction(pool, { ...scope, access: 'read', snapshot: true }, limits);
  let catalog: Catalog;
  try {
    // Definitions and defaults name relations with their schema when these are not on the search path.
    const { relations, gaps, sizes } = await readCatalog(transaction.session, schemas, limits);
    // The server adds up the sizes meanwhile.
    const built = buildCatalog({ dialect: postgresDialect, name, relations, gaps, include });
    catalog = withSizes(built, await limits.race(sizes));
  } catch (thrown) {
    throw statementFailure(thrown, { sql: '', pool, limits, timeoutMs: introspectTimeoutMs });
  } finally {
    await transaction.close();
  }
  return withRowCounts(pool, scope, await withNestedFields(pool, scope, catalog, context), context);
}
