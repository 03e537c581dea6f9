import { type Catalog, relationId } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { WireRow } from '../connection/wire.ts';

/** The catalog with the bytes of its tables, of rows of a schema, a relation and a size. They do not touch the fingerprint. */
export function withSizes(catalog: Catalog, rows: readonly WireRow[]): Catalog {
  const relations = { ...catalog.relations };
  for (const [schema, relation, bytes] of rows) {
    const id = relationId([schema ?? '', relation ?? ''], postgresDialect.identifiers.comparison);
    const info = relations[id];
    // A table that was dropped meanwhile has none; one that was not asked for is not there.
    if (info !== undefined && typeof bytes === 'string') relations[id] = { ...info, byteCount: Number(bytes) };
  }
  return { ...catalog, relations };
}
