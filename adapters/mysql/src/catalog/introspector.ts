import { documentFields, runCall, withDocumentFields, withRowCounts } from '@askema/adapter-kit';
import { buildCatalog, type CallLimitsOptions, type Introspector } from '@askema/core';
import { type Database, transactionCall } from '../connection/call.ts';
import { readCatalog } from './read-catalog.ts';

/** Documents that are looked into, and the characters of each. */
const SAMPLED_ROWS = 100;
const SAMPLED_CHARACTERS = 20_000;

/** Reads the catalog; see `Introspector` of core. */
export function createIntrospector(database: Database): Introspector {
  const { name, dialect, introspectTimeoutMs, rowCountTimeoutMs } = database.options;
  const { pool } = database;
  const call = (limits: CallLimitsOptions) => transactionCall(database, limits);
  return {
    async introspect({ include, context: { signal } }) {
      const reading = { what: 'Reading the catalog', timeoutMs: introspectTimeoutMs, signal };
      const catalog = await runCall(pool, call(reading), async (open) => {
        const routines = await open.limits.race(database.routines(open.session));
        const { relations, gaps } = await readCatalog(open, database.options, routines);
        const relationComparison = open.session.server.foldsTableNames ? 'insensitive' : 'sensitive';
        const identifiers = { ...dialect.identifiers, relationComparison } as const;
        return buildCatalog({ dialect: { ...dialect, identifiers }, name, relations, gaps, include });
      });
      const withFields = await withDocumentFields(catalog, {
        dialect,
        signal,
        pool,
        call,
        isDocument: (nativeType) => nativeType === 'json',
        async fieldsOf(session, table, document) {
          const rows = await session.query(`SELECT LEFT(${document}, ${SAMPLED_CHARACTERS}) FROM ${table}
            WHERE ${document} IS NOT NULL LIMIT ${SAMPLED_ROWS}`);
          return documentFields(rows.map(([text]) => String(text)));
        },
      });
      return withRowCounts(withFields, {
        dialect,
        timeoutMs: rowCountTimeoutMs,
        signal,
        run: (sql, counting) => runCall(pool, call(counting), ({ session, limits }) => limits.race(session.query(sql))),
      });
    },
  };
}
