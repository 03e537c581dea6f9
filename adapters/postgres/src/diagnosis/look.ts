import type { Transaction } from '../connection/transaction.ts';
import type { Candidate } from '../functions/reach.ts';
import { CANDIDATES, readCandidates } from '../functions/read-suspects.ts';
import { FURTHER_RIGHTS, type FurtherRight, PARAMETER_RIGHTS } from './further-rights.ts';

/**
 * Roles that come with the server and let their members reach for files, programs or other users' data
 * (predefined-roles).
 */
export const POWERS: Readonly<Record<string, string>> = {
  pg_execute_server_program: 'run programs on the server',
  pg_write_server_files: 'write files of the server',
  pg_read_server_files: 'read files of the server',
  pg_write_all_data: 'change every table',
  pg_signal_backend: 'end the sessions of other users',
};

/** Extensions that reach out of the database, whoever may call their functions: languages have none of their own. */
const REACHING = [
  'dblink',
  'file_fdw',
  'postgres_fdw',
  'adminpack',
  'plpython3u',
  'plpythonu',
  'plperlu',
  'pltclu',
  'pg_cron',
  'http',
];

const list = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

/** Tables of users: what this role may do there. A table in a schema that it may not use is hidden. */
const TABLES = `WITH tables AS (
  SELECT n.nspname AS schema, n.nspname || '.' || c.relname AS name, c.oid, c.relkind,
    pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND pg_catalog.has_table_privilege(c.oid, 'SELECT') AS readable,
    pg_catalog.has_schema_privilege(n.oid, 'USAGE') AND (pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER')
      OR pg_catalog.has_any_column_privilege(c.oid, 'INSERT, UPDATE')) AS writable,
    pg_catalog.pg_has_role(c.relowner, 'USAGE') AS owned
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname NOT LIKE 'pg\\_%'
    AND n.nspname <> 'information_schema'
)`;

const schemasOf = (condition: string): string =>
  `(SELECT coalesce(json_agg(DISTINCT t.schema ORDER BY t.schema), '[]') FROM tables AS t WHERE ${condition})`;

const LOOK = `SELECT json_build_object(
  'version', current_setting('server_version'),
  'user', current_user,
  'database', current_database(),
  'path', array_to_json(current_schemas(false)),
  'replica', pg_catalog.pg_is_in_recovery(),
  'encrypted', coalesce((SELECT s.ssl FROM pg_catalog.pg_stat_ssl AS s WHERE s.pid = pg_catalog.pg_backend_pid()), false),
  'superuser', (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user),
  'terminates', (SELECT bool_or(pg_catalog.has_function_privilege(p.oid, 'EXECUTE')) FROM pg_catalog.pg_proc AS p
    WHERE p.proname = 'pg_terminate_backend' AND p.pronamespace = 'pg_catalog'::regnamespace),
  'powers', (SELECT coalesce(json_agg(r.rolname ORDER BY r.rolname), '[]') FROM pg_catalog.pg_roles AS r
    WHERE r.rolname IN (${list(Object.keys(POWERS))}) AND pg_catalog.pg_has_role(r.oid, 'USAGE')),
  'extensions', (SELECT coalesce(json_agg(e.extname ORDER BY e.extname), '[]') FROM pg_catalog.pg_extension AS e
    WHERE e.extname IN (${list(REACHING)})),
  'creatable', (SELECT coalesce(json_agg(n.nspname ORDER BY n.nspname), '[]') FROM pg_catalog.pg_namespace AS n
    WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(n.oid, 'CREATE')),
  'programs', (SELECT coalesce(json_agg(t.name ORDER BY t.name), '[]') FROM tables AS t
    JOIN pg_catalog.pg_foreign_table AS f ON f.ftrelid = t.oid
    WHERE t.readable AND EXISTS (SELECT FROM pg_catalog.unnest(f.ftoptions) AS o WHERE o LIKE 'program=%')),
  'foreign', (SELECT count(*) FROM tables AS t WHERE t.readable AND t.relkind = 'f'),
  'schemas', ${schemasOf('true')},
  'hiddenSchemas', ${schemasOf('NOT t.readable')},
  'writableSchemas', ${schemasOf('t.writable')},
  'readable', (SELECT count(*) FILTER (WHERE readable) FROM tables),
  'hidden', (SELECT count(*) FILTER (WHERE NOT readable) FROM tables),
  'writable', (SELECT count(*) FILTER (WHERE writable) FROM tables),
  'owned', (SELECT count(*) FILTER (WHERE owned) FROM tables),
  'example', (SELECT min(name) FILTER (WHERE writable) FROM tables)
) FROM (SELECT 1) AS one`;

/** What the server says of itself, of this role and of what is there. */
export interface Look {
  readonly version: string;
  readonly user: string;
  readonly database: string;
  /** The search path. */
  readonly path: readonly string[];
  readonly replica: boolean;
  readonly encrypted: boolean;
  readonly superuser: boolean;
  /** May end its own sessions. */
  readonly terminates: boolean;
  readonly powers: readonly string[];
  /** Those that reach out of the database, and those with functions that this role may call and that do more than read. */
  readonly extensions: readonly string[];
  /** Schemas in which it may create. */
  readonly creatable: readonly string[];
  /** Foreign tables that run a program when they are read. */
  readonly programs: readonly string[];
  /** Foreign tables that it may read. */
  readonly foreign: number;
  /** Schemas with tables. */
  readonly schemas: readonly string[];
  readonly hiddenSchemas: readonly string[];
  readonly writableSchemas: readonly string[];
  readonly readable: number;
  readonly hidden: number;
  readonly writable: number;
  /** Tables that are this role's own. */
  readonly owned: number;
  readonly example: string | null;
  /** Functions of users that it may call and that run with the rights of their owner. */
  readonly definers: readonly Candidate[];
  /** What the role may do beside writing to tables, unless it is a superuser. */
  readonly further: readonly FurtherRight[];
}

/** The first version with privileges on settings. */
const PARAMETER_VERSION = 15;

/** Asks for everything in one round trip. */
export async function lookAround({ session, limits }: Transaction): Promise<Look> {
  const { look, functions } = await limits.race(
    session.batch({}, { look: `${TABLES} ${LOOK}`, functions: CANDIDATES }),
  );
  const found = JSON.parse(look[0]?.[0] ?? '{}') as Look;
  const rights =
    Number.parseInt(found.version, 10) < PARAMETER_VERSION
      ? FURTHER_RIGHTS
      : `${FURTHER_RIGHTS} UNION ALL ${PARAMETER_RIGHTS}`;
  const further = found.superuser ? [] : await limits.race(session.simple(rights));
  const callable = readCandidates(functions, new Set()).filter(({ isCallable }) => isCallable);
  // The language comes with every database.
  const acting = callable
    .filter(({ isVolatile, extension }) => isVolatile && extension !== 'plpgsql')
    .flatMap(({ extension }) => extension || []);
  return {
    ...found,
    further: further.map(([kind, name]) => ({ kind: kind ?? '', name: name ?? '' })),
    extensions: [...new Set([...found.extensions, ...acting])].sort(),
    definers: callable.filter(({ extension, definer }) => extension === undefined && definer !== undefined),
  };
}
