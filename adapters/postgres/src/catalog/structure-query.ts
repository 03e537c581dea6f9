/**
 * Relations of users; temporary ones come and go, and those of the system change with the server. Partitions are parts of
 * others, and composite types are types of columns.
 */
const IDS = `SELECT c.oid FROM pg_catalog.pg_class AS c
    WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND c.relpersistence <> 't' AND c.oid >= 16384`;

/** Objects that come with the server have lower numbers (access/transam.h, `FirstNormalObjectId`). */
const OWN = 'oid >= 16384';

/** What a catalog is read from: a table of the server, what names its rows, and which rows. */
const SOURCES: readonly (readonly [table: string, row: string, condition: string])[] = [
  ['pg_namespace', 'oid', "nspname !~ '^pg_(toast_)?temp_'"],
  ['pg_class', 'oid', `oid IN (${IDS})`],
  ['pg_attribute', "attrelid || '.' || attnum", `attnum > 0 AND attrelid IN (${IDS})`],
  ['pg_attrdef', 'oid', `adrelid IN (${IDS})`],
  ['pg_constraint', 'oid', `${OWN} AND conrelid = 0 OR conrelid IN (${IDS})`],
  ['pg_index', 'indexrelid', `indrelid IN (${IDS})`],
  [
    'pg_description',
    "objoid || '.' || objsubid",
    `classoid = 'pg_catalog.pg_class'::pg_catalog.regclass AND objoid IN (${IDS})`,
  ],
  ['pg_inherits', "inhrelid || '.' || inhparent", `inhrelid IN (${IDS})`],
  ['pg_partitioned_table', 'partrelid', 'true'],
  ['pg_rewrite', 'oid', `ev_class IN (${IDS})`],
  ['pg_foreign_table', 'ftrelid', 'true'],
  ['pg_policy', 'oid', 'true'],
  // Those of relations are as they are.
  ['pg_type', 'oid', `${OWN} AND typrelid = 0`],
  ['pg_enum', 'oid', 'true'],
  ['pg_range', 'rngtypid', 'true'],
  ['pg_collation', 'oid', OWN],
  ['pg_proc', 'oid', OWN],
  ['pg_extension', 'oid', 'true'],
  ['pg_auth_members', "roleid || '.' || member", 'true'],
];

/** Half of an MD5, as a number that can be added up. */
const numberOf = (text: string): string =>
  `('x' || pg_catalog.substr(pg_catalog.md5(${text}), 1, 15))::pg_catalog.bit(60)::pg_catalog.int8`;

function partOf([table, row, condition]: (typeof SOURCES)[number]): string {
  const hash = numberOf(`${row} || ' ' || xmin`);
  return `SELECT '${table}' AS part, pg_catalog.count(*) AS rows, pg_catalog.sum(${hash}) AS hash
    FROM pg_catalog.${table} WHERE ${condition}`;
}

/** Roles have no number of a change that everybody may read. */
const ROLES = `SELECT 'pg_roles', pg_catalog.count(*), pg_catalog.sum(${numberOf("r.oid || ' ' || r.rolname || r.rolsuper || r.rolinherit || r.rolbypassrls")})
    FROM pg_catalog.pg_roles AS r`;

/**
 * One number a table of the server, of its rows and of the transactions that wrote them: each change gives its row another
 * one, while statistics are written in place. Within the life of a server that number means one transaction; a restored
 * copy, in which it may mean another, was started anew.
 */
export const STRUCTURE = `
  SELECT extract(epoch FROM pg_catalog.pg_postmaster_start_time())::text, pg_catalog.string_agg(s.part || ' ' || s.rows || ' ' || coalesce(s.hash, 0), ', ' ORDER BY s.part)
  FROM (${[...SOURCES.map(partOf), ROLES].join('\n    UNION ALL ')}) AS s`;

/**
 * Nothing was committed while these are the same: numbers of transactions only grow within the life of a server, and every
 * change of data takes one.
 */
export const DATA =
  'SELECT extract(epoch FROM pg_catalog.pg_postmaster_start_time())::text, pg_catalog.txid_current_snapshot()::text';

/** Whose view it is: of a connection that has taken on its role and search path. */
export const IDENTITY = `
  SELECT pg_catalog.current_database(), (SELECT d.oid FROM pg_catalog.pg_database AS d WHERE d.datname = pg_catalog.current_database()),
    current_user, session_user, pg_catalog.current_schemas(true)::text, pg_catalog.current_setting('server_version'),
    pg_catalog.current_setting('row_security')`;
