import {
  type Diagnose,
  type Diagnosis,
  type DiagnosisFinding,
  isAskemaError,
  quoteIdentifier,
  type ReadOnlyStanding,
  startLimits,
  type Value,
} from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import type { SessionQuery, SnowflakeSession } from './connection/session.ts';
import type { ResolvedOptions } from './options.ts';

/** None of these functions needs a warehouse. */
const WHERE =
  'SELECT CURRENT_VERSION(), CURRENT_ACCOUNT_NAME(), CURRENT_USER(), CURRENT_ROLE(), CURRENT_WAREHOUSE(), CURRENT_DATABASE(), CURRENT_SCHEMA()';

/** What looks at grants reads so many of them. */
const MAX_GRANTS = 5_000;

/** Says who is connected and where, whether there is a warehouse, and whether the role could write. Changes nothing. */
export function createDiagnose(session: SnowflakeSession, options: ResolvedOptions): Diagnose {
  return async ({ timeoutMs, context }) => {
    const limits = startLimits({ timeoutMs, signal: context.signal, what: 'Looking at the connection' });
    try {
      const query = { limits, context };
      const [row] = (await session.query(WHERE, query)).rows;
      const [version, account, user, role, warehouse, database, schema] = (row ?? []).map(textOf);
      const grants = role === undefined ? undefined : await readGrants(session, role, query);
      const findings = [
        ...placeFindings(options, { database, warehouse }),
        ...(warehouse === undefined ? [] : await warehouseFindings(session, query, warehouse)),
        ...grantFindings(grants, role, warehouse, database),
      ];
      const place = Object.entries({ account, role, warehouse, database, schema });
      return {
        server: `Snowflake ${version ?? ''}`.trim(),
        user,
        place: Object.fromEntries(place.filter((entry): entry is [string, string] => entry[1] !== undefined)),
        readOnly: standing(options, grants, role),
        findings,
      } satisfies Diagnosis;
    } finally {
      limits.release();
    }
  };
}

function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

interface Grants {
  /** Privileges that change data or objects, as `INSERT on TABLE DB.S.T`. */
  readonly writing: readonly string[];
  /** Roles that the role has, whose grants were not looked at. */
  readonly inherited: readonly string[];
  readonly isWhole: boolean;
}

/** Privileges that let a role read, look or compute; every other one changes something. */
const READING =
  /^(USAGE|SELECT|REFERENCES|REFERENCE_USAGE|MONITOR|MONITOR .*|READ|OPERATE|IMPORTED PRIVILEGES|VIEW LINEAGE|APPLYBUDGET)$/;

async function readGrants(session: SnowflakeSession, role: string, query: SessionQuery): Promise<Grants | undefined> {
  try {
    const sql = `SHOW GRANTS TO ROLE ${quoteIdentifier(role, snowflakeDialect)}`;
    const { columns, rows, truncated } = await session.query(sql, { ...query, maxRows: MAX_GRANTS });
    const at = (name: string): number => columns.findIndex((column) => column.name.toLowerCase() === name);
    const [privilege, kind, name] = [at('privilege'), at('granted_on'), at('name')];
    const writing: string[] = [];
    const inherited: string[] = [];
    for (const row of rows) {
      const granted = String(row[privilege] ?? '').toUpperCase();
      const object = String(row[kind] ?? '').replaceAll('_', ' ');
      if (object === 'ROLE' && granted === 'USAGE') inherited.push(String(row[name]));
      else if (!READING.test(granted) && !(granted === 'OWNERSHIP' && object === 'ROLE'))
        writing.push(`${granted} on ${object} ${String(row[name])}`);
    }
    return { writing, inherited, isWhole: !truncated };
  } catch (error) {
    if (isAskemaError(error) && error.code === 'QUERY_FAILED') return undefined;
    throw error;
  }
}

/** Roles that may do nearly everything, whatever is granted to them. */
const ADMIN_ROLES = new Set(['ACCOUNTADMIN', 'SYSADMIN', 'SECURITYADMIN', 'USERADMIN', 'ORGADMIN', 'GLOBALORGADMIN']);

function standing({ access }: ResolvedOptions, grants: Grants | undefined, role: string | undefined): ReadOnlyStanding {
  if (access === 'write') return { by: 'nothing', explanation: 'The adapter was opened for writing.' };
  const asked =
    'each statement is compiled first, and run only if Snowflake says that it is a query (statements that only show something pass by their text)';
  const isAdmin = role !== undefined && ADMIN_ROLES.has(role);
  if (grants === undefined || !grants.isWhole || isAdmin || grants.inherited.length > 0)
    return { by: 'engine', explanation: `Of the role nothing is proved, but ${asked}.` };
  if (grants.writing.length > 0)
    return {
      by: 'engine',
      explanation: `The role ${role} could write, but ${asked}. A function that a query calls could still do what its owner may.`,
    };
  return { by: 'grants', explanation: `The role ${role} has no privilege that changes anything; besides, ${asked}.` };
}

function placeFindings(
  options: ResolvedOptions,
  { database, warehouse }: Readonly<Record<'database' | 'warehouse', string | undefined>>,
): DiagnosisFinding[] {
  const findings: DiagnosisFinding[] = [];
  if (warehouse === undefined)
    findings.push({
      severity: 'error',
      code: 'no-warehouse',
      message:
        options.warehouse === undefined
          ? 'No warehouse is set: statements that read tables will fail.'
          : `The warehouse ${options.warehouse} does not exist, or the role may not use it: statements that read tables will fail.`,
      fix: `Give \`warehouse\`, and let the role use it: GRANT USAGE ON WAREHOUSE ${options.warehouse ?? '<warehouse>'} TO ROLE ${options.role ?? '<role>'};`,
    });
  if (database === undefined)
    findings.push({
      severity: options.database === undefined ? 'warning' : 'error',
      code: 'no-database',
      message:
        options.database === undefined
          ? 'No database is set: names must be written in full, and there is no catalog to read.'
          : `The database ${options.database} does not exist, or the role may not use it.`,
      fix: `Give \`database\`, and let the role use it: GRANT USAGE ON DATABASE ${options.database ?? '<database>'} TO ROLE ${options.role ?? '<role>'};`,
    });
  return findings;
}

async function warehouseFindings(
  session: SnowflakeSession,
  query: SessionQuery,
  warehouse: string,
): Promise<DiagnosisFinding[]> {
  try {
    const { columns, rows } = await session.query(`SHOW WAREHOUSES LIKE ${likeLiteral(warehouse)}`, {
      ...query,
      maxRows: 10,
    });
    const at = (name: string): number => columns.findIndex((column) => column.name.toLowerCase() === name);
    const row = rows.find((candidate) => candidate[at('name')] === warehouse);
    const state = textOf(row?.[at('state')]);
    if (row === undefined) return [];
    const monitor = textOf(row[at('resource_monitor')]);
    const resumes = String(row[at('auto_resume')] ?? 'true').toLowerCase();
    const findings: DiagnosisFinding[] = [];
    if (state === 'SUSPENDED' && resumes === 'false')
      findings.push({
        severity: 'error',
        code: 'warehouse-suspended',
        message: `The warehouse ${warehouse} is suspended and does not resume by itself.`,
        fix: `ALTER WAREHOUSE ${quoteIdentifier(warehouse, snowflakeDialect)} SET AUTO_RESUME = TRUE;`,
      });
    if (monitor === undefined || monitor === 'null')
      findings.push({
        severity: 'info',
        code: 'no-resource-monitor',
        message: `No resource monitor limits what the warehouse ${warehouse} may cost.`,
        fix: `CREATE RESOURCE MONITOR … WITH CREDIT_QUOTA = …; ALTER WAREHOUSE ${quoteIdentifier(warehouse, snowflakeDialect)} SET RESOURCE_MONITOR = …;`,
      });
    return findings;
  } catch (error) {
    if (isAskemaError(error) && error.code === 'QUERY_FAILED') return [];
    throw error;
  }
}

function likeLiteral(name: string): string {
  return `'${name.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function grantFindings(
  grants: Grants | undefined,
  role: string | undefined,
  warehouse: string | undefined,
  database: string | undefined,
): DiagnosisFinding[] {
  if (role === undefined) return [];
  const fix = readerRole(database ?? '<database>', warehouse ?? '<warehouse>');
  if (ADMIN_ROLES.has(role))
    return [
      { severity: 'warning', code: 'role-is-admin', message: `The role ${role} may change nearly everything.`, fix },
    ];
  if (grants === undefined)
    return [{ severity: 'info', code: 'grants-unknown', message: `What the role ${role} may do cannot be seen.`, fix }];
  const findings: DiagnosisFinding[] = [];
  if (grants.writing.length > 0)
    findings.push({
      severity: 'warning',
      code: 'role-can-write',
      message: `The role ${role} may change things: ${listed(grants.writing)}.`,
      fix,
    });
  if (grants.inherited.length > 0)
    findings.push({
      severity: 'info',
      code: 'role-inherits',
      message: `The role ${role} has what is granted to ${listed(grants.inherited)}, which was not looked at.`,
      fix,
    });
  return findings;
}

function listed(items: readonly string[]): string {
  const more = items.length - 5;
  return `${items.slice(0, 5).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** A role that may only read, to copy; docs/adapters/snowflake.md has it with what stands around it. */
function readerRole(database: string, warehouse: string): string {
  return [
    'CREATE ROLE ASKEMA_READER;',
    `GRANT USAGE ON WAREHOUSE ${warehouse} TO ROLE ASKEMA_READER;`,
    `GRANT USAGE ON DATABASE ${database} TO ROLE ASKEMA_READER;`,
    `GRANT USAGE ON ALL SCHEMAS IN DATABASE ${database} TO ROLE ASKEMA_READER;`,
    `GRANT SELECT ON ALL TABLES IN DATABASE ${database} TO ROLE ASKEMA_READER;`,
    `GRANT SELECT ON ALL VIEWS IN DATABASE ${database} TO ROLE ASKEMA_READER;`,
  ].join('\n');
}
