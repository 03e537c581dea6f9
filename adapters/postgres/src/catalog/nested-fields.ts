import { withDocumentFields } from '@askema/adapter-kit';
import type { CallContext, Catalog, NameParts, NestedField } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { Database } from '../connection/database.ts';
import { transactionCall } from '../connection/transaction.ts';

/** Documents that are looked at, levels below the attribute, and paths that are kept. */
const SAMPLED_ROWS = 100;
const MAX_LEVELS = 4;
const MAX_PATHS = 100;

/**
 * The paths inside of `json` and `jsonb` columns, by a bounded sample of their documents, which the server itself looks
 * into: what the catalog of PostgreSQL does not know.
 *
 * @param isReadable whether a relation may be read.
 */
export function withNestedFields(
  database: Database,
  catalog: Catalog,
  isReadable: (nameParts: NameParts) => boolean,
  { signal }: CallContext,
): Promise<Catalog> {
  return withDocumentFields(catalog, {
    pool: database.pool,
    call: (limits) => transactionCall(database, limits),
    dialect: postgresDialect,
    signal,
    isReadable,
    isDocument: (nativeType) => /^jsonb?$/.test(nativeType),
    async fieldsOf(session, table, column) {
      const { rows } = await session.batch({}, { rows: pathStatement(table, column) });
      return fieldsOf(rows);
    },
  });
}

function fieldsOf(rows: readonly (readonly (string | null)[])[]): NestedField[] {
  return rows.map(([path, types]) => ({
    path: JSON.parse(path ?? '[]') as string[],
    nativeType: types ?? '',
  }));
}

/** Objects by their keys, arrays by their first elements; each path with the JSON types that were seen. */
function pathStatement(table: string, column: string): string {
  return `
    WITH RECURSIVE sampled (document) AS MATERIALIZED (
      SELECT ${column}::jsonb FROM ${table} WHERE ${column} IS NOT NULL LIMIT ${SAMPLED_ROWS}
    ), inside (path, value, level) AS (
      SELECT '[]'::jsonb, document, 0 FROM sampled
      UNION ALL
      SELECT inside.path || jsonb_build_array(step.key), step.value, inside.level + 1
      FROM inside CROSS JOIN LATERAL (
        SELECT field.key, field.value FROM jsonb_each(CASE jsonb_typeof(inside.value) WHEN 'object' THEN inside.value END) AS field
        UNION ALL
        SELECT '[]', element.value FROM jsonb_array_elements(CASE jsonb_typeof(inside.value) WHEN 'array' THEN
          (SELECT jsonb_agg(inside.value -> place) FROM generate_series(0, least(jsonb_array_length(inside.value), 5) - 1) AS place) END) AS element
      ) AS step
      WHERE inside.level < ${MAX_LEVELS}
    )
    SELECT path, string_agg(DISTINCT jsonb_typeof(value), ' | ') FILTER (WHERE jsonb_typeof(value) <> 'null')
    FROM inside WHERE level > 0 GROUP BY path ORDER BY min(level), path LIMIT ${MAX_PATHS}`;
}
