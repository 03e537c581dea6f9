import { quoteString } from '@askema/core';
import { postgresDialect } from '@askema/dialects';

/**
 * The catalog in a handful of queries over sets, whatever the number of tables. Source of the columns:
 * https://www.postgresql.org/docs/current/catalogs.html. Every cell comes as text.
 */
export interface CatalogQueries {
  readonly relations: string;
  readonly attributes: string;
  readonly keys: string;
  readonly constraints: string;
  readonly labels: string;
  readonly partitions: string;
}

/** Temporary tables, TOAST, and what extensions keep for themselves are no part of a user's schema. */
const NOT_OF_EXTENSIONS = `NOT EXISTS (SELECT FROM pg_catalog.pg_depend AS d
  WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

export function catalogQueries(schemas: readonly string[] | undefined): CatalogQueries {
  const wanted =
    schemas === undefined
      ? `n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'`
      : `n.nspname IN (${schemas.map((schema) => quoteString(schema, postgresDialect)).join(', ')})`;
  /** Partitions are parts of their root. */
  const shown = `c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND ${wanted}
    AND pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND ${NOT_OF_EXTENSIONS}`;
  const from = `pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace`;
  const ids = `SELECT c.oid FROM ${from} WHERE ${shown}`;
  return {
    relations: `
      SELECT c.oid, n.nspname, c.relname, c.relkind, c.reltuples::bigint,
        CASE WHEN c.relkind IN ('r', 'm') AND pg_catalog.has_table_privilege(c.oid, 'SELECT') THEN pg_catalog.pg_table_size(c.oid) END,
        pg_catalog.obj_description(c.oid, 'pg_class'),
        CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid) END,
        pg_catalog.has_table_privilege(c.oid, 'SELECT'), pg_catalog.has_any_column_privilege(c.oid, 'SELECT'),
        c.relispopulated
      FROM ${from} WHERE ${shown} ORDER BY n.nspname, c.relname`,
    attributes: `
      SELECT a.attrelid, a.attnum, a.attname, pg_catalog.format_type(a.atttypid, a.atttypmod), a.attnotnull,
        a.attidentity, a.attgenerated, pg_catalog.pg_get_expr(d.adbin, d.adrelid),
        pg_catalog.col_description(a.attrelid, a.attnum),
        CASE WHEN a.attcollation <> 0 AND a.attcollation <> t.typcollation THEN l.collname END,
        CASE WHEN t.typtype = 'd' THEN pg_catalog.format_type(t.typbasetype, t.typtypmod) END,
        CASE WHEN t.typtype = 'e' THEN t.oid WHEN e.typtype = 'e' THEN e.oid WHEN b.typtype = 'e' THEN b.oid END,
        t.typtype, pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT'), t.typnotnull
      FROM pg_catalog.pg_attribute AS a
      JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
      LEFT JOIN pg_catalog.pg_type AS e ON e.oid = t.typelem AND t.typcategory = 'A'
      LEFT JOIN pg_catalog.pg_type AS b ON b.oid = t.typbasetype AND t.typtype = 'd'
      LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      LEFT JOIN pg_catalog.pg_collation AS l ON l.oid = a.attcollation
      WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid IN (${ids})
      ORDER BY a.attrelid, a.attnum`,
    // Unique indexes are keys, too, unless they hold for some rows only or for expressions.
    keys: `
      SELECT i.indrelid, i.indisprimary, array_to_string((i.indkey::int2[])[0:i.indnkeyatts - 1], ' ')
      FROM pg_catalog.pg_index AS i
      WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indrelid IN (${ids})
      ORDER BY i.indrelid, i.indisprimary DESC, i.indkey::text`,
    // Those of partitions repeat those of their root.
    constraints: `
      SELECT k.conrelid, k.contype, array_to_string(k.conkey, ' '), k.confrelid, array_to_string(k.confkey, ' '),
        fn.nspname, fc.relname, CASE WHEN k.contype = 'c' THEN pg_catalog.pg_get_expr(k.conbin, k.conrelid) END,
        (SELECT json_agg(fa.attname::text ORDER BY place.number)
           FROM unnest(k.confkey) WITH ORDINALITY AS place (attnum, number)
           JOIN pg_catalog.pg_attribute AS fa ON fa.attrelid = k.confrelid AND fa.attnum = place.attnum)
      FROM pg_catalog.pg_constraint AS k
      LEFT JOIN pg_catalog.pg_class AS fc ON fc.oid = k.confrelid
      LEFT JOIN pg_catalog.pg_namespace AS fn ON fn.oid = fc.relnamespace
      WHERE k.contype IN ('f', 'c') AND k.conparentid = 0 AND k.conrelid IN (${ids})
      ORDER BY k.conrelid, k.contype, k.conname`,
    labels: `
      SELECT e.enumtypid, e.enumlabel FROM pg_catalog.pg_enum AS e ORDER BY e.enumtypid, e.enumsortorder`,
    // The root of a tree of partitions, what it is divided by, and what its leaves hold together.
    partitions: `
      WITH RECURSIVE tree (root, oid) AS (
        SELECT c.oid, c.oid FROM ${from} WHERE ${shown} AND c.relkind = 'p'
        UNION ALL
        SELECT tree.root, h.inhrelid FROM tree JOIN pg_catalog.pg_inherits AS h ON h.inhparent = tree.oid
      )
      SELECT tree.root, array_to_string(max(p.partattrs::int2[]), ' '),
        sum(CASE WHEN l.relkind = 'r' AND l.reltuples >= 0 THEN l.reltuples END)::bigint,
        sum(CASE WHEN l.relkind = 'r' THEN l.relpages::bigint * pg_catalog.current_setting('block_size')::bigint END)::bigint,
        bool_and(l.relkind <> 'r' OR l.reltuples >= 0)
      FROM tree
      JOIN pg_catalog.pg_class AS l ON l.oid = tree.oid
      LEFT JOIN pg_catalog.pg_partitioned_table AS p ON p.partrelid = tree.root
      GROUP BY tree.root ORDER BY tree.root`,
  };
}
