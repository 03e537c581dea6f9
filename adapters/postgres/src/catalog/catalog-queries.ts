import { quoteString } from '@askema/core';
import { postgresDialect } from '@askema/dialects';

/**
 * The catalog in a handful of queries over sets, whatever the number of tables. Source of the columns:
 * https://www.postgresql.org/docs/current/catalogs.html. Every cell comes as text.
 *
 * Columns are many: what the server would look up for each of them by a function (`format_type`, `col_description`)
 * costs more than all else. Types are described once for all columns that have them; defaults and comments are queries
 * of their own, because few columns have one.
 */
export interface CatalogQueries {
  readonly attributes: string;
  readonly defaults: string;
  readonly comments: string;
  readonly keys: string;
  readonly constraints: string;
  readonly labels: string;
  readonly parents: string;
  readonly partitions: string;
  readonly relations: string;
  readonly sizes: string;
}

/** Temporary tables, TOAST, and what extensions keep for themselves are no part of a user's schema. */
const NOT_OF_EXTENSIONS = `c.oid NOT IN (SELECT d.objid FROM pg_catalog.pg_depend AS d
  WHERE d.refclassid = 'pg_catalog.pg_extension'::regclass AND d.classid = 'pg_catalog.pg_class'::regclass AND d.deptype = 'e')`;

export function catalogQueries(schemas: readonly string[] | undefined): CatalogQueries {
  const wanted =
    schemas === undefined
      ? `n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'`
      : `n.nspname IN (${schemas.map((schema) => quoteString(schema, postgresDialect)).join(', ')})`;
  /**
   * Partitions are parts of their root. The array and the list of extensions are evaluated once, not for each relation.
   */
  const shown = `c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND c.relnamespace = ANY (ARRAY(
      SELECT n.oid FROM pg_catalog.pg_namespace AS n WHERE ${wanted} AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')))
    AND ${NOT_OF_EXTENSIONS}`;
  const ids = `SELECT c.oid FROM pg_catalog.pg_class AS c WHERE ${shown}`;
  return {
    // In no order: the server would sort them on disk. Most cells are NULL, which takes no time to write or read.
    // A column counts as generated if any partition computes it.
    attributes: `
      SELECT a.attrelid, a.attnum, a.attname, a.atttypid, nullif(a.atttypmod, -1), nullif(a.attcollation, 0),
        CASE WHEN a.attnotnull THEN 't' END, nullif(a.attidentity, ''),
        CASE WHEN a.attgenerated <> '' THEN a.attgenerated::text
          WHEN a.attrelid IN (SELECT p.partrelid FROM pg_catalog.pg_partitioned_table AS p) THEN (SELECT pg_catalog.max(g.attgenerated::text)
            FROM pg_catalog.pg_partition_tree(a.attrelid) AS t JOIN pg_catalog.pg_attribute AS g ON g.attrelid = t.relid
            WHERE g.attname = a.attname AND g.attgenerated <> '')
        END,
        CASE WHEN a.attacl IS NOT NULL AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT') THEN 't' END
      FROM pg_catalog.pg_attribute AS a
      WHERE a.attnum > 0 AND NOT a.attisdropped AND a.attrelid IN (${ids})`,
    defaults: `
      SELECT d.adrelid, d.adnum, pg_catalog.pg_get_expr(d.adbin, d.adrelid)
      FROM pg_catalog.pg_attrdef AS d WHERE d.adrelid IN (${ids})`,
    // Number 0 is the relation itself.
    comments: `
      SELECT o.objoid, o.objsubid, o.description FROM pg_catalog.pg_description AS o
      WHERE o.classoid = 'pg_catalog.pg_class'::regclass AND o.objoid IN (${ids})`,
    // Unique indexes are keys, too, unless they hold for some rows only or for expressions.
    keys: `
      SELECT i.indrelid, i.indisprimary, array_to_string((i.indkey::int2[])[0:i.indnkeyatts - 1], ' ')
      FROM pg_catalog.pg_index AS i
      WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND i.indrelid IN (${ids})
      ORDER BY i.indrelid, i.indisprimary DESC, i.indkey::text`,
    // Those of partitions repeat those of their root. A target may lie outside of the schemas that are read.
    constraints: `
      SELECT k.conrelid, k.contype, array_to_string(k.conkey, ' '), k.confrelid, array_to_string(k.confkey, ' '),
        fn.nspname, fc.relname, CASE WHEN k.contype = 'c' THEN pg_catalog.pg_get_expr(k.conbin, k.conrelid) END
      FROM pg_catalog.pg_constraint AS k
      LEFT JOIN pg_catalog.pg_class AS fc ON fc.oid = k.confrelid
      LEFT JOIN pg_catalog.pg_namespace AS fn ON fn.oid = fc.relnamespace
      WHERE k.contype IN ('f', 'c') AND k.conparentid = 0 AND k.conrelid IN (${ids})
      ORDER BY k.conrelid, k.contype, k.conname`,
    labels: `
      SELECT e.enumtypid, e.enumlabel FROM pg_catalog.pg_enum AS e ORDER BY e.enumtypid, e.enumsortorder`,
    // Parents by inheritance; partitions are no relations of their own here.
    parents: `
      SELECT h.inhrelid, n.nspname, p.relname FROM pg_catalog.pg_inherits AS h
      JOIN pg_catalog.pg_class AS p ON p.oid = h.inhparent
      JOIN pg_catalog.pg_namespace AS n ON n.oid = p.relnamespace
      WHERE h.inhrelid IN (${ids}) ORDER BY h.inhrelid, h.inhseqno`,
    // The root of a tree of partitions, what it is divided by, and what its leaves hold together.
    partitions: `
      WITH RECURSIVE tree (root, oid) AS (
        SELECT c.oid, c.oid FROM pg_catalog.pg_class AS c WHERE ${shown} AND c.relkind = 'p'
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
    relations: `
      SELECT c.oid, n.nspname, c.relname, c.relkind, c.reltuples::bigint,
        CASE WHEN c.relkind IN ('v', 'm') THEN pg_catalog.pg_get_viewdef(c.oid) END,
        pg_catalog.has_table_privilege(c.oid, 'SELECT'), pg_catalog.has_any_column_privilege(c.oid, 'SELECT')
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE ${shown} ORDER BY n.nspname, c.relname`,
    // The server asks the file system about twelve files of each table: as long as everything else takes it.
    sizes: `
      SELECT n.nspname, c.relname, pg_catalog.pg_table_size(c.oid)
      FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE ${shown} AND c.relkind IN ('r', 'm') AND pg_catalog.has_table_privilege(c.oid, 'SELECT')`,
  };
}

/** What a column says of its type: numbers that the server knows, as they came. */
export interface TypeUse {
  readonly type: string;
  readonly modifier: string | null;
  readonly collation: string | null;
}

/**
 * The relations whose rows a value of the type may hold, in arrays, domains, ranges and fields, however deep; and the
 * types that show any number as a name (`regclass`).
 */
const HELD = `(
      WITH RECURSIVE part (o) AS (
        SELECT t.oid WHERE t.typnamespace <> 'pg_catalog'::pg_catalog.regnamespace
        UNION
        SELECT inner_type.o FROM part JOIN pg_catalog.pg_type AS p ON p.oid = part.o
        CROSS JOIN LATERAL (
          SELECT p.typbasetype UNION ALL SELECT p.typelem
          UNION ALL SELECT r.rngsubtype FROM pg_catalog.pg_range AS r WHERE p.oid IN (r.rngtypid, r.rngmultitypid)
          UNION ALL SELECT a.atttypid FROM pg_catalog.pg_attribute AS a WHERE a.attrelid = p.typrelid AND a.attnum > 0
        ) AS inner_type (o) WHERE inner_type.o <> 0
      )
      SELECT pg_catalog.string_agg(DISTINCT coalesce(root.relname, c.relname, p.typname), ', ')
      FROM part JOIN pg_catalog.pg_type AS p ON p.oid = part.o
      LEFT JOIN pg_catalog.pg_class AS c ON c.oid = p.typrelid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
      LEFT JOIN pg_catalog.pg_class AS root ON root.oid = pg_catalog.pg_partition_root(c.oid)
      WHERE c.oid IS NOT NULL OR p.typname LIKE 'reg%' AND p.typnamespace = 'pg_catalog'::pg_catalog.regnamespace
    )`;

/** The types of columns, one row for each use, in their order; none for a type that is gone. */
export function typesQuery(uses: readonly TypeUse[]): string {
  const list = (values: readonly (string | null)[]): string => `'{${values.map((value) => value ?? 'NULL').join()}}'`;
  return `
    SELECT u.place, pg_catalog.format_type(u.type, coalesce(u.modifier, -1)),
      CASE WHEN t.typtype = 'd' THEN pg_catalog.format_type(t.typbasetype, t.typtypmod) END,
      CASE WHEN t.typtype = 'e' THEN t.oid WHEN e.typtype = 'e' THEN e.oid WHEN b.typtype = 'e' THEN b.oid END,
      t.typnotnull, CASE WHEN u.collating <> t.typcollation THEN l.collname END, ${HELD}
    FROM unnest(${list(uses.map(({ type }) => type))}::oid[], ${list(uses.map(({ modifier }) => modifier))}::int4[],
      ${list(uses.map(({ collation }) => collation))}::oid[]) WITH ORDINALITY AS u (type, modifier, collating, place)
    JOIN pg_catalog.pg_type AS t ON t.oid = u.type
    LEFT JOIN pg_catalog.pg_type AS e ON e.oid = t.typelem AND t.typcategory = 'A'
    LEFT JOIN pg_catalog.pg_type AS b ON b.oid = t.typbasetype AND t.typtype = 'd'
    LEFT JOIN pg_catalog.pg_collation AS l ON l.oid = u.collating
    ORDER BY u.place`;
}
