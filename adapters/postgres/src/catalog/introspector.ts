import { runCall, withRowCounts } from '@askema/adapter-kit';
import {
  buildCatalog,
  type CallContext,
  type Catalog,
  type Introspector,
  type NameParts,
  relationId,
} from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { Database } from '../connection/database.ts';
import { transactionCall } from '../connection/transaction.ts';
import type { WireRow } from '../connection/wire.ts';
import { isSuspect } from '../functions/suspects.ts';
import { withNestedFields } from './nested-fields.ts';
import { readCatalog } from './read-catalog.ts';
import { REMOTE, withRemote } from './remote-relations.ts';

/** Reads the catalog in one transaction, so that it is of one moment; see `Introspector` of core. */
export function createIntrospector(database: Database): Introspector {
  const { name, introspectTimeoutMs: timeoutMs } = database.options;
  return {
    async introspect({ include, context }) {
      const options = { what: 'Reading the catalog', timeoutMs, signal: context.signal, snapshot: true };
      const call = transactionCall(database, options);
      const [catalog, suspects, filtered] = await runCall(database.pool, call, async ({ session, limits, begun }) => {
        // Definitions and defaults name relations with their schema when these are not on the search path.
        const { relations, gaps, sizes } = await readCatalog(session, database, limits);
        // The server adds up the sizes meanwhile.
        const built = buildCatalog({ dialect: postgresDialect, name, relations, gaps, include });
        const sized = withSizes(built, await limits.race(sizes));
        const remote = await limits.race(session.simple(REMOTE));
        const secured = await limits.race(session.simple(SECURED));
        const names = new Set(secured.map(([schema, relation]) => `${schema}.${relation}`));
        return [withRemote(sized, remote), await begun.suspects(), names] as const;
      });
      // What may call such a function when it is read is left alone.
      const isOpen = (nameParts: NameParts): boolean => {
        const id = relationId([nameParts.schema ?? '', nameParts.relation], postgresDialect.identifiers.comparison);
        return !isSuspect(suspects, nameParts) && catalog.relations[id]?.remote !== true;
      };
      // A policy decides what is counted, by whatever it reads.
      const isCounted = (nameParts: NameParts): boolean =>
        isOpen(nameParts) && !filtered.has(`${nameParts.schema}.${nameParts.relation}`);
      return countTables(database, await withNestedFields(database, catalog, isOpen, context), isCounted, context);
    },
  };
}

const SECURED = `SELECT n.nspname, c.relname FROM pg_catalog.pg_class AS c
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE c.relrowsecurity`;

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

/** With the rows of small tables; of large ones ANALYZE has estimates. */
function countTables(
  database: Database,
  catalog: Catalog,
  isOpen: (nameParts: NameParts) => boolean,
  { signal }: CallContext,
): Promise<Catalog> {
  return withRowCounts(catalog, {
    dialect: postgresDialect,
    timeoutMs: database.options.rowCountTimeoutMs,
    signal,
    isReadable: ({ nameParts }) => isOpen(nameParts),
    lacks: 'ANALYZE has not seen them',
    run: (sql, counting) =>
      runCall(database.pool, transactionCall(database, counting), async ({ session, limits }) => {
        const { rows } = await limits.race(session.batch({}, { rows: sql }));
        return rows;
      }),
  });
}
