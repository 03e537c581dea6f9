import { documentFields, runCall, withDocumentFields, withRowCounts } from '@askema/adapter-kit';
import { buildCatalog, type Introspector, qualifiedName, quoteIdentifier } from '@askema/core';
import { type Database, transactionCall } from '../connection/call.ts';
import { readCatalog } from './read-catalog.ts';

/** Documents that are looked into, the characters of each, and the time for all columns together. */
const SAMPLED_ROWS = 100;
const SAMPLED_CHARACTERS = 20_000;
const SAMPLE_TIMEOUT_MS = 2_000;

/** Reads the catalog; see `Introspector` of core. */
export function createIntrospector(database: Database): Introspector {
  const { name, databases, dialect, introspectTimeoutMs: timeoutMs, rowCountTimeoutMs } = database.options;
  return {
    async introspect({ include, context }) {
      const options = { what: 'Reading the catalog', timeoutMs, signal: context.signal };
      const catalog = await runCall(database.pool, transactionCall(database, options), async ({ session, limits }) => {
        const routines = await limits.race(database.routines(session));
        const { relations, gaps } = await readCatalog(session, databases, dialect, routines, limits);
        const relationComparison = session.server.foldsTableNames ? 'insensitive' : 'sensitive';
        const identifiers = { ...dialect.identifiers, relationComparison } as const;
        return buildCatalog({ dialect: { ...dialect, identifiers }, name, relations, gaps, include });
      });
      const sampling = { what: 'Looking into JSON columns', timeoutMs: SAMPLE_TIMEOUT_MS, signal: context.signal };
      // With the fields inside of JSON columns, by a sample of their documents.
      const withFields = await withDocumentFields(catalog, {
        isDocument: (nativeType) => nativeType === 'json',
        read: (columns, found) =>
          runCall(database.pool, transactionCall(database, sampling), async ({ session, limits }) => {
            for (const column of columns) {
              const document = quoteIdentifier(column.name, dialect);
              const sql = `SELECT LEFT(${document}, ${SAMPLED_CHARACTERS}) FROM ${qualifiedName(column.nameParts, dialect, 'always')}
                WHERE ${document} IS NOT NULL LIMIT ${SAMPLED_ROWS}`;
              const rows = await limits.race(session.query(sql));
              found(column, documentFields(rows.map(([text]) => String(text))));
            }
          }),
      });
      return withRowCounts(withFields, {
        dialect,
        timeoutMs: rowCountTimeoutMs,
        async *run(sql, left) {
          const call = transactionCall(database, { what: 'Counting rows', timeoutMs: left, signal: context.signal });
          yield await runCall(database.pool, call, ({ session, limits }) => limits.race(session.query(sql)));
        },
      });
    },
  };
}
