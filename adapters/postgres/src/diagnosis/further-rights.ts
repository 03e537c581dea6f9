import type { DiagnosisFinding } from '@askema/core';

/** Predefined roles whose members only read (predefined-roles); who owns the database is told by its right to create. */
const READING = [
  'pg_database_owner',
  'pg_monitor',
  'pg_read_all_data',
  'pg_read_all_settings',
  'pg_read_all_stats',
  'pg_stat_scan_tables',
  'pg_use_reserved_connections',
];

/** Whose rights count, now or after SET ROLE: `m`. */
const ROLES = `pg_catalog.pg_roles AS m WHERE pg_catalog.pg_has_role(m.oid, 'MEMBER')`;

/** Objects of users that this role may use: `n` is the schema. */
const OPEN = `n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')`;

const attribute = (column: string): string =>
  `SELECT '${column}', pg_catalog.quote_ident(m.rolname) FROM ${ROLES} AND m.${column}`;

/** What a role may do beside writing to tables: a kind, and a name as SQL writes it. */
export const FURTHER_RIGHTS = [
  attribute('rolcreaterole'),
  attribute('rolcreatedb'),
  attribute('rolreplication'),
  `SELECT 'member', pg_catalog.quote_ident(m.rolname) FROM ${ROLES} AND NOT pg_catalog.pg_has_role(m.oid, 'USAGE') AND m.rolname NOT LIKE 'pg\\_%'`,
  `SELECT 'predefined', pg_catalog.quote_ident(m.rolname) FROM ${ROLES} AND m.rolname LIKE 'pg\\_%'
    AND m.rolname NOT IN (${READING.map((name) => `'${name}'`).join(', ')})`,
  `SELECT 'sequence', pg_catalog.quote_ident(n.nspname) || '.' || pg_catalog.quote_ident(c.relname)
    FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
    WHERE c.relkind = 'S' AND ${OPEN} AND CASE WHEN c.relkind = 'S' THEN pg_catalog.has_sequence_privilege(c.oid, 'USAGE, UPDATE') END`,
  `SELECT 'procedure', p.oid::pg_catalog.regprocedure::text
    FROM pg_catalog.pg_proc AS p JOIN pg_catalog.pg_namespace AS n ON n.oid = p.pronamespace
    WHERE p.prokind = 'p' AND p.prosecdef AND ${OPEN} AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE')`,
  `SELECT 'large object', o.oid::text FROM pg_catalog.pg_largeobject_metadata AS o, pg_catalog.aclexplode(o.lomacl) AS a
    WHERE a.privilege_type = 'UPDATE' AND (a.grantee = 0 OR pg_catalog.pg_has_role(a.grantee, 'MEMBER'))`,
  `SELECT 'owner', i.type || ' ' || i.identity FROM pg_catalog.pg_shdepend AS d
    CROSS JOIN LATERAL pg_catalog.pg_identify_object(d.classid, d.objid, d.objsubid) AS i
    WHERE d.deptype = 'o' AND d.refclassid = 'pg_catalog.pg_authid'::pg_catalog.regclass AND pg_catalog.pg_has_role(d.refobjid, 'MEMBER')
    AND d.dbid IN (0, (SELECT b.oid FROM pg_catalog.pg_database AS b WHERE b.datname = pg_catalog.current_database()))`,
  `SELECT 'database', pg_catalog.quote_ident(pg_catalog.current_database()) WHERE pg_catalog.has_database_privilege(pg_catalog.current_database(), 'CREATE')`,
]
  .map((select) => `(${select})`)
  .join(' UNION ALL ');

/** The same of settings, from PostgreSQL 15 on. */
export const PARAMETER_RIGHTS = `SELECT 'parameter', p.parname FROM pg_catalog.pg_parameter_acl AS p
  WHERE pg_catalog.has_parameter_privilege(p.parname, 'SET, ALTER SYSTEM')`;

export interface FurtherRight {
  readonly kind: string;
  /** As SQL writes it. */
  readonly name: string;
}

/** Kinds with what they allow, and the SQL that takes it away. `user` is as SQL writes it. */
const KINDS: Readonly<Record<string, { readonly may: string; readonly fix?: (name: string, user: string) => string }>> =
  {
    rolcreaterole: { may: 'create and change roles by the role', fix: (name) => `ALTER ROLE ${name} NOCREATEROLE;` },
    rolcreatedb: { may: 'create databases by the role', fix: (name) => `ALTER ROLE ${name} NOCREATEDB;` },
    rolreplication: {
      may: 'read all data and hold back its clearing (REPLICATION) by the role',
      fix: (name) => `ALTER ROLE ${name} NOREPLICATION;`,
    },
    member: {
      may: 'take on with SET ROLE, and do what it may, the role',
      fix: (name, user) => `REVOKE ${name} FROM ${user};`,
    },
    predefined: { may: 'do more than read as a member of', fix: (name, user) => `REVOKE ${name} FROM ${user};` },
    sequence: {
      may: 'move on the sequence',
      fix: (name, user) => `REVOKE USAGE, UPDATE ON SEQUENCE ${name} FROM PUBLIC, ${user};`,
    },
    procedure: {
      may: 'call with the rights of its owner the procedure',
      fix: (name, user) => `REVOKE EXECUTE ON PROCEDURE ${name} FROM PUBLIC, ${user};`,
    },
    'large object': {
      may: 'change the large object',
      fix: (name, user) => `REVOKE UPDATE ON LARGE OBJECT ${name} FROM PUBLIC, ${user};`,
    },
    owner: { may: 'change or drop, as its owner, the' },
    database: {
      may: 'create schemas in the database',
      fix: (name, user) => `REVOKE CREATE ON DATABASE ${name} FROM PUBLIC, ${user};`,
    },
    parameter: {
      may: 'change (SET, ALTER SYSTEM) the setting',
      fix: (name, user) => `REVOKE SET, ALTER SYSTEM ON PARAMETER ${name} FROM PUBLIC, ${user};`,
    },
  };

/** As many examples as a message names. */
const SHOWN = 5;

/**
 * One finding for each kind of right.
 *
 * @param user as SQL writes it. @param otherRole the SQL for a role that owns nothing.
 */
export function furtherFindings(
  rights: readonly FurtherRight[],
  user: string,
  otherRole: string,
): readonly DiagnosisFinding[] {
  return Object.entries(KINDS).flatMap(([kind, { may, fix }]) => {
    const names = rights.filter((right) => right.kind === kind).map(({ name }) => name);
    if (names.length === 0) return [];
    const shown = names.slice(0, SHOWN);
    const rest = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
    return {
      severity: 'warning',
      code: 'role-has-right',
      message: `${user} may ${may} ${shown.join(', ')}${rest}. Read-only calls do not use that; a role without it is stronger.`,
      fix: fix === undefined ? otherRole : shown.map((name) => fix(name, user)).join('\n'),
    } satisfies DiagnosisFinding;
  });
}
