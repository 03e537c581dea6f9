import {
  buildCatalog,
  type CallContext,
  type CallLimits,
  type Catalog,
  type Introspector,
  qualifiedName,
  type RelationId,
  type RelationInfo,
  relationId,
  startLimits,
} from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { SessionPool } from '../connection/session-pool.ts';
import { openTransaction } from '../connection/transaction.ts';
import type { WireRow } from '../connection/wire.ts';
import { statementFailure } from '../errors/statement-failure.ts';
import type { ExecutionScope } from '../executor.ts';
import { withNestedFields } from './nested-fields.ts';
import { readCatalog } from './read-catalog.ts';

/** Tables in one statement. */
const TABLES = 50;

/** Tables up to this size are counted; of larger ones the statistics are near enough. */
const COUNTED_BYTES = 32 * 1024 * 1024;

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

/**
 * The catalog with the bytes of its tables, of rows of a schema, a relation and a size. They do not touch the
 * fingerprint.
 */
function withSizes(catalog: Catalog, rows: readonly WireRow[]): Catalog {
  const relations = { ...catalog.relations };
  for (const [schema, relation, bytes] of rows) {
    const id = relationId([schema ?? '', relation ?? ''], postgresDialect.identifiers.comparison);
    const info = relations[id];
    // A table that was dropped meanwhile has none; one that was not asked for is not there.
    if (info !== undefined && typeof bytes === 'string') relations[id] = { ...info, byteCount: Number(bytes) };
  }
  return { ...catalog, relations };
}

/**
 * The catalog with its row counts: exact for small tables as far as `rowCountTimeoutMs` goes, smallest first, else by
 * the statistics of ANALYZE, else none. They do not touch the fingerprint.
 */
async function withRowCounts(
  pool: SessionPool,
  scope: ExecutionScope,
  catalog: Catalog,
  context: CallContext,
): Promise<Catalog> {
  const { rowCountTimeoutMs } = pool.options;
  const tables = catalog.schema.relations.flatMap(({ id }) => {
    const info = catalog.relations[id];
    return info !== undefined && isCounted(info) ? [{ id, info }] : [];
  });
  if (tables.length === 0 || rowCountTimeoutMs === 0) return catalog;
  tables.sort((a, b) => (a.info.byteCount ?? 0) - (b.info.byteCount ?? 0));
  const counts = await countRows(pool, scope, tables, context);
  const relations = { ...catalog.relations };
  for (const { id, info } of tables) {
    const rowCount = counts.get(id);
    if (rowCount !== undefined) relations[id] = { ...info, rowCount, rowCountExact: true };
  }
  const unknown = tables
    .filter(({ id }) => relations[id]?.rowCount === undefined)
    .map(({ info }) => info.nameParts.relation);
  if (unknown.length === 0) return { ...catalog, relations };
  const shown = unknown.slice(0, 5).join(', ') + (unknown.length > 5 ? ` and ${unknown.length - 5} more` : '');
  const reason = `the rows of ${shown} could not be counted within ${rowCountTimeoutMs} ms (\`rowCountTimeoutMs\`), and ANALYZE has not seen them`;
  return {
    ...catalog,
    relations,
    incomplete: [...catalog.incomplete, { subject: 'catalog', reason, affects: 'counts' }],
  };
}

/** A large table without statistics is tried last. */
function isCounted({ kind, byteCount = 0, rowCount }: RelationInfo): boolean {
  return kind === 'table' && (byteCount <= COUNTED_BYTES || rowCount === undefined);
}

async function countRows(
  pool: SessionPool,
  scope: ExecutionScope,
  tables: readonly { readonly id: RelationId; readonly info: RelationInfo }[],
  { signal }: CallContext,
): Promise<ReadonlyMap<RelationId, number>> {
  const counts = new Map<RelationId, number>();
  const limits = startLimits({ timeoutMs: pool.options.rowCountTimeoutMs, signal, what: 'Counting rows' });
  try {
    for (let start = 0; start < tables.length; start += TABLES) {
      const chunk = tables.slice(start, start + TABLES);
      // A transaction for each statement: locks on thousands of tables would fill the server's table of locks.
      const transaction = await openTransaction(pool, { ...scope, access: 'read' }, limits);
      try {
        const rows = await limits.race(transaction.session.simple(countStatement(chunk)));
        for (const [index, count] of rows) {
          const id = chunk[Number(index)]?.id;
          if (id !== undefined) counts.set(id, Number(count));
        }
      } finally {
        await transaction.close();
      }
    }
  } catch (thrown) {
    // Counts are an aid: a lock or a policy that fails is met again by whoever queries the table. The caller's abort is
    // not.
    if (limits.error()?.code === 'ABORTED') throw thrown;
  } finally {
    limits.release();
  }
  return counts;
}

function countStatement(tables: readonly { readonly info: RelationInfo }[]): string {
  return tables
    .map(
      ({ info }, index) => `SELECT ${index}, count(*) FROM ${qualifiedName(info.nameParts, postgresDialect, 'always')}`,
    )
    .join(' UNION ALL ');
}
