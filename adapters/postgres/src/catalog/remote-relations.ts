import { type Catalog, relationId } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { WireRow } from '../connection/wire.ts';

/** Foreign tables, the tables that they are children or partitions of, and the views that read any of them. */
export const REMOTE = `
  WITH RECURSIVE reading (relation) AS (
    SELECT ftrelid FROM pg_catalog.pg_foreign_table
    UNION
    SELECT next.relation FROM reading CROSS JOIN LATERAL (
      SELECT i.inhparent AS relation FROM pg_catalog.pg_inherits AS i WHERE i.inhrelid = reading.relation
      UNION ALL
      SELECT r.ev_class FROM pg_catalog.pg_depend AS d JOIN pg_catalog.pg_rewrite AS r ON r.oid = d.objid
      WHERE d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass AND d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
        AND d.refobjid = reading.relation
    ) AS next
  )
  SELECT n.nspname, c.relname FROM reading JOIN pg_catalog.pg_class AS c ON c.oid = reading.relation
  JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace WHERE c.relkind <> 'm' ORDER BY 1, 2`;

/** So many names stand in the gap. */
const NAMED = 5;

/** The catalog, with a mark on what the rows of {@link REMOTE} name. Marks do not touch the fingerprint. */
export function withRemote(catalog: Catalog, rows: readonly WireRow[]): Catalog {
  const relations = { ...catalog.relations };
  const names: string[] = [];
  for (const [schema, relation] of rows) {
    const id = relationId([schema ?? '', relation ?? ''], postgresDialect.identifiers.comparison);
    const info = relations[id];
    if (info === undefined) continue;
    relations[id] = { ...info, remote: true };
    names.push(`${schema}.${relation}`);
  }
  if (names.length === 0) return catalog;
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  const reason = `${names.slice(0, NAMED).join(', ')}${more} read foreign tables, so nobody counted or sampled them: that would ask another server`;
  return {
    ...catalog,
    relations,
    incomplete: [...catalog.incomplete, { subject: 'catalog', reason, affects: 'counts' }],
  };
}
