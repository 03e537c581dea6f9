import {
  type CallContext,
  type Catalog,
  qualifiedName,
  type RelationId,
  type RelationInfo,
  startLimits,
} from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { SessionPool } from '../connection/session-pool.ts';
import { openTransaction } from '../connection/transaction.ts';
import type { ExecutionScope } from '../executor.ts';

/** Tables in one statement. */
const TABLES = 50;

/** Tables up to this size are counted; of larger ones the statistics are near enough. */
const COUNTED_BYTES = 32 * 1024 * 1024;

/**
 * The catalog with its row counts: exact for small tables as far as `rowCountTimeoutMs` goes, smallest first, else by the statistics of
 * ANALYZE, else none. They do not touch the fingerprint.
 */
export async function withRowCounts(
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
    // Counts are an aid: a lock or a policy that fails is met again by whoever queries the table. The caller's abort is not.
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
