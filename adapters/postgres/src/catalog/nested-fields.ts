import {
  type CallContext,
  type Catalog,
  finishCatalog,
  type NestedField,
  qualifiedName,
  quoteIdentifier,
  startLimits,
} from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { SessionPool } from '../connection/session-pool.ts';
import { openTransaction } from '../connection/transaction.ts';
import type { ExecutionScope } from '../executor.ts';

/** Documents that are looked at, levels below the attribute, and paths that are kept. */
const SAMPLED_ROWS = 100;
const MAX_LEVELS = 4;
const MAX_PATHS = 100;

/** Columns that are looked at; a database with more of them is left alone after these. */
const MAX_COLUMNS = 200;

const JSON_TYPES: ReadonlySet<string> = new Set(['json', 'jsonb']);

/** All columns together. */
const TIMEOUT_MS = 2_000;

/**
 * The paths inside of `json` and `jsonb` columns, by a bounded sample of their documents: what the catalog of
 * PostgreSQL does not know. A column that cannot be read in time has none; the caller's abort rejects.
 */
export async function withNestedFields(
  pool: SessionPool,
  scope: ExecutionScope,
  catalog: Catalog,
  { signal }: CallContext,
): Promise<Catalog> {
  const columns = catalog.schema.attributes
    .filter(({ id }) => JSON_TYPES.has(catalog.attributes[id]?.nativeType ?? ''))
    .filter(({ relation }) => catalog.relations[relation]?.kind === 'table')
    .slice(0, MAX_COLUMNS);
  if (columns.length === 0) return catalog;
  const attributes = { ...catalog.attributes };
  const limits = startLimits({ timeoutMs: TIMEOUT_MS, signal, what: 'Looking into JSON columns' });
  try {
    const transaction = await openTransaction(pool, { ...scope, access: 'read' }, limits);
    try {
      for (const { id, name, relation } of columns) {
        const table = catalog.relations[relation]?.nameParts ?? { relation: '' };
        const rows = await limits.race(
          transaction.session.simple(
            pathStatement(qualifiedName(table, postgresDialect, 'always'), quoteIdentifier(name, postgresDialect)),
          ),
        );
        const info = attributes[id];
        if (info !== undefined && rows.length > 0) attributes[id] = { ...info, nestedFields: fieldsOf(rows) };
      }
    } finally {
      await transaction.close();
    }
  } catch (thrown) {
    // What lies inside of documents is an aid; only the caller's abort counts.
    if (limits.error()?.code === 'ABORTED') throw thrown;
  } finally {
    limits.release();
  }
  // They belong to the structure, so the fingerprint is taken anew.
  const { fingerprint: _before, ...rest } = catalog;
  return finishCatalog({ ...rest, attributes });
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
