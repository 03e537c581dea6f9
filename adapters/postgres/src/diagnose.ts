import { runCall, serverFindings, serverStanding } from '@askema/adapter-kit';
import { type Access, type Diagnose, type Diagnosis, type DiagnosisFinding, quoteIfNeeded } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { Database } from './connection/database.ts';
import { transactionCall } from './connection/transaction.ts';
import { isHarmlessSql } from './harmless-functions.ts';
import type { ResolvedOptions } from './options.ts';
import { VOLATILE_FUNCTIONS } from './volatile-functions.ts';

/**
 * Roles that come with the server and let their members reach for files, programs or other users' data
 * (predefined-roles).
 */
const POWERS: Readonly<Record<string, string>> = {
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

const ROLES = Object.keys(POWERS).map((role) => `'${role}'`);

const LOOK = `SELECT json_build_object(
  'version', current_setting('server_version'),
  'user', current_user,
  'database', current_database(),
  'schemas', array_to_json(current_schemas(false)),
  'replica', pg_catalog.pg_is_in_recovery(),
  'encrypted', coalesce((SELECT s.ssl FROM pg_catalog.pg_stat_ssl AS s WHERE s.pid = pg_catalog.pg_backend_pid()), false),
  'superuser', (SELECT r.rolsuper FROM pg_catalog.pg_roles AS r WHERE r.rolname = current_user),
  'createDatabase', pg_catalog.has_database_privilege(current_database(), 'CREATE'),
  'powers', (SELECT coalesce(json_agg(r.rolname ORDER BY r.rolname), '[]') FROM pg_catalog.pg_roles AS r
    WHERE r.rolname IN (${ROLES.join(', ')}) AND pg_catalog.pg_has_role(r.oid, 'USAGE')),
  'extensions', (SELECT coalesce(json_agg(e.extname ORDER BY e.extname), '[]') FROM pg_catalog.pg_extension AS e
    WHERE e.extname IN (${REACHING.map((name) => `'${name}'`).join(', ')})),
  'acting', (SELECT coalesce(json_agg(DISTINCT e.extname), '[]') FROM ${VOLATILE_FUNCTIONS}
    AND e.oid IS NOT NULL AND p.prolang = (SELECT l.oid FROM pg_catalog.pg_language AS l WHERE l.lanname = 'c')
    AND NOT ${isHarmlessSql('e.extname', 'p.proname')}
    AND p.prorettype NOT IN ('trigger'::regtype, 'event_trigger'::regtype, 'language_handler'::regtype, 'fdw_handler'::regtype)
    AND pg_catalog.has_function_privilege(p.oid, 'EXECUTE')),
  'creatable', (SELECT coalesce(json_agg(n.nspname ORDER BY n.nspname), '[]') FROM pg_catalog.pg_namespace AS n
    WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(n.oid, 'CREATE')),
  'readable', (SELECT count(*) FILTER (WHERE readable) FROM tables),
  'hidden', (SELECT count(*) FILTER (WHERE NOT readable) FROM tables),
  'writable', (SELECT count(*) FILTER (WHERE writable) FROM tables),
  'example', (SELECT min(name) FILTER (WHERE writable) FROM tables)
) FROM (SELECT 1) AS one`;

const TABLES = `WITH tables AS (
  SELECT n.nspname || '.' || c.relname AS name, pg_catalog.has_table_privilege(c.oid, 'SELECT') AS readable,
    pg_catalog.has_table_privilege(c.oid, 'INSERT, UPDATE, DELETE, TRUNCATE') AS writable
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition AND n.nspname NOT LIKE 'pg\\_%'
    AND n.nspname <> 'information_schema' AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
)`;

interface Look {
  readonly version: string;
  readonly user: string;
  readonly database: string;
  readonly schemas: readonly string[];
  readonly replica: boolean;
  readonly encrypted: boolean;
  readonly superuser: boolean;
  readonly createDatabase: boolean;
  readonly powers: readonly string[];
  readonly extensions: readonly string[];
  /** Those with functions in C that this role may call and that may do more than read. */
  readonly acting: readonly string[];
  readonly creatable: readonly string[];
  readonly readable: number;
  readonly hidden: number;
  readonly writable: number;
  readonly example: string | null;
}

/** Looks at server, user and privileges in one query; see `Diagnose` of core. */
export function createDiagnose(database: Database): Diagnose {
  return ({ timeoutMs, context }) => {
    const call = transactionCall(database, { what: 'Looking at the connection', timeoutMs, signal: context.signal });
    return runCall(database.pool, call, async ({ session, limits }) => {
      const [[json] = []] = await limits.race(session.simple(`${TABLES} ${LOOK}`));
      return diagnosisOf(JSON.parse(json ?? '{}') as Look, database.options);
    });
  };
}

function diagnosisOf(look: Look, options: ResolvedOptions): Diagnosis {
  const place = { host: `${options.host}:${options.port}`, database: look.database, schemas: look.schemas.join(', ') };
  return {
    server: `PostgreSQL ${look.version}${look.replica ? ' (replica)' : ''}`,
    user: look.user,
    place,
    readOnly: standingOf(look, options.access),
    findings: findingsOf(look, options.host),
  };
}

function standingOf(look: Look, access: Access): Diagnosis['readOnly'] {
  const { user, superuser, writable, powers, creatable, createDatabase, extensions } = look;
  const mayNothing = !superuser && writable === 0 && powers.length === 0 && creatable.length === 0 && !createDatabase;
  const reach = mayNothing
    ? `${user} may not write to any table, but extensions reach further.`
    : `The role ${user} itself could do more.`;
  return serverStanding(
    { user, mayOnlyRead: mayNothing && extensions.length === 0 },
    access,
    `Each call is a read-only transaction, and functions of PostgreSQL and its extensions that it does not stop are refused. Functions of your own are not looked into. ${reach}`,
  );
}

function findingsOf(look: Look, host: string): DiagnosisFinding[] {
  const { user, superuser, powers, writable, creatable, readable, hidden } = look;
  const extensions = [...new Set([...look.extensions, ...look.acting])].sort();
  const findings: DiagnosisFinding[] = [];
  const fix = readerRole(look);
  if (superuser)
    findings.push({
      severity: 'warning',
      code: 'role-is-superuser',
      message: `${user} is a superuser: functions and COPY could reach files and programs of the server. Their names are refused, but a role that may not is the only guarantee.`,
      fix,
    });
  else
    for (const power of powers)
      findings.push({
        severity: 'warning',
        code: 'role-has-power',
        message: `${user} is a member of ${power} and may ${POWERS[power] ?? 'do more than read'}.`,
        fix: `REVOKE ${power} FROM ${quoteIfNeeded(user, postgresDialect)};`,
      });
  if (!superuser && (writable > 0 || creatable.length > 0)) {
    const tables = writable === 0 ? '' : `write to ${writable} of its tables (${look.example})`;
    const schemas = creatable.length === 0 ? '' : `create tables in ${creatable.join(', ')}`;
    findings.push({
      severity: 'warning',
      code: 'role-can-write',
      message: `${user} may ${[tables, schemas].filter((part) => part !== '').join(' and ')}. Read-only transactions keep it from that; a role that may only read is stronger.`,
      fix,
    });
  }
  if (extensions.length > 0)
    findings.push({
      severity: 'warning',
      code: 'extension-reaches-out',
      message: `The extensions ${extensions.join(', ')} are installed; their functions may do what a read-only transaction does not stop. Statements that call them are refused; views and functions of your own that do are not.`,
      fix: extensions.includes('dblink')
        ? 'REVOKE EXECUTE ON FUNCTION dblink(text), dblink(text, text), dblink_exec(text), dblink_exec(text, text) FROM PUBLIC;'
        : undefined,
    });
  if (readable > 0 && hidden > 0)
    findings.push({
      severity: 'info',
      code: 'tables-not-readable',
      message: `${hidden} tables of schemas that ${user} may use cannot be read.`,
      fix,
    });
  const encryption = 'Set `ssl: true`, or sslmode=verify-full in the address.';
  return [...findings, ...serverFindings(look, host, { reading: fix, encryption })];
}

/** A role that may only read, as SQL to copy. */
function readerRole({ database, schemas }: Look): string {
  const names = (schemas.length === 0 ? ['public'] : schemas).map((schema) => quoteIfNeeded(schema, postgresDialect));
  return [
    `CREATE ROLE askema_reader LOGIN PASSWORD '…';`,
    `GRANT CONNECT ON DATABASE ${quoteIfNeeded(database, postgresDialect)} TO askema_reader;`,
    ...names.flatMap((schema) => [
      `GRANT USAGE ON SCHEMA ${schema} TO askema_reader;`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO askema_reader;`,
      `ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT ON TABLES TO askema_reader;`,
    ]),
    'ALTER ROLE askema_reader SET default_transaction_read_only = on;',
  ].join('\n');
}
