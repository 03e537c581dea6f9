import { runCall, serverFindings, serverStanding, warning } from '@askema/adapter-kit';
import { type Diagnose, type Diagnosis, type DiagnosisFinding, quoteIdentifier, quoteString } from '@askema/core';
import { mariadbDialect, mysqlServer } from '@askema/dialects';
import { type Database, type Transaction, transactionCall } from './connection/call.ts';
import { SYSTEM } from './reading/user-routines.ts';

/** Columns may stand behind it: SELECT (a, b). */
const READING = new RegExp(`^(${mysqlServer.readingPrivileges.join('|')})\\b`);

const LOOK = `SELECT CURRENT_USER(), DATABASE(),
  (SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA NOT IN ${SYSTEM}),
  (SELECT COUNT(*) FROM information_schema.VIEWS WHERE TABLE_SCHEMA NOT IN ${SYSTEM} AND VIEW_DEFINITION = '')`;

/** Looks at server, user and privileges; see `Diagnose` of core. */
export function createDiagnose(database: Database): Diagnose {
  return async ({ timeoutMs, context: { signal } }) => {
    const call = transactionCall(database, { what: 'Looking at the connection', timeoutMs, signal });
    return diagnosisOf(await runCall(database.pool, call, lookAround), database);
  };
}

type Look = Awaited<ReturnType<typeof lookAround>>;

async function lookAround({ session, limits }: Transaction) {
  const [[account, name, readable, opaque] = []] = await limits.race(session.query(LOOK));
  const [[, cipher = ''] = []] = await limits.race(session.query("SHOW SESSION STATUS LIKE 'Ssl_cipher'"));
  const grants = (await limits.race(session.query('SHOW GRANTS'))).map(([text]) => String(text));
  const roles = grants.flatMap((text) => /^GRANT (`[^ ]+) TO /.exec(text)?.[1]?.split(',') ?? []);
  const [, user = '', host = ''] = /^(.*)@(.*)$/s.exec(String(account)) ?? [];
  return {
    server: session.server,
    // As SQL: 'reader'@'%'.
    user: [user, host].map((part) => quoteString(part, mariadbDialect)).join('@'),
    database: typeof name === 'string' ? name : undefined,
    readable: Number(readable),
    /** Views whose definitions cannot be seen. */
    opaque: Number(opaque),
    encrypted: cipher !== '',
    grants: grants.flatMap(readGrant),
    roles: roles.filter((role) => !grants.some((text) => text.includes(` TO ${role}`))),
  };
}

/**
 * What one GRANT gives beyond reading, of `GRANT SELECT, INSERT ON shop.* TO …`; `target` is SQL, as `FUNCTION shop.f`.
 * Secrets stand behind TO.
 */
function readGrant(text: string) {
  const [, list, target] = /^GRANT (.+?) ON ((?:[^`]|`(?:[^`]|``)*`)+?) TO /s.exec(text) ?? [];
  if (list === undefined || target === undefined) return [];
  const privileges = list.split(/,\s*(?![^(]*\))/).filter((privilege) => !READING.test(privilege));
  if (/ WITH GRANT OPTION$/.test(text)) privileges.push('GRANT OPTION');
  return privileges.length === 0 ? [] : [{ privileges, target }];
}

function diagnosisOf(look: Look, { options }: Database): Diagnosis {
  const { server, user, database } = look;
  const product = server.isMariadb ? 'MariaDB' : 'MySQL';
  return {
    server: `${product} ${server.version.replace(/-MariaDB.*$/i, '')}`,
    user: user.replaceAll("'", ''),
    place: { host: `${options.host}:${options.port}`, ...(database === undefined ? {} : { database }) },
    readOnly: serverStanding(
      { user, mayOnlyRead: look.grants.length + look.roles.length === 0 },
      options.access,
      `Each call is a read-only transaction. What ${product} lets through there (files, locks, settings, functions of users) is refused by the kind of the statement and by the functions that it calls. ${user} itself could do more.`,
    ),
    findings: findingsOf(look, options),
  };
}

function findingsOf(look: Look, { dialect, host }: Database['options']): DiagnosisFinding[] {
  const { user, server, database, opaque } = look;
  const tables = `${database === undefined ? '*' : quoteIdentifier(database, dialect)}.*`;
  const grantReading = `GRANT SELECT, SHOW VIEW ON ${tables} TO ${user};`;
  const findings: DiagnosisFinding[] = look.grants.map(({ privileges, target }) => {
    const powers = privileges.flatMap((privilege) => mysqlServer.powers[privilege] ?? []);
    const list = privileges.join(', ');
    // ALL PRIVILEGES stands alone in a REVOKE.
    const groups = Map.groupBy(privileges, (privilege) => privilege === 'ALL PRIVILEGES');
    const revoked = [...groups.values()].map((some) => `REVOKE ${some.join(', ')} ON ${target} FROM ${user};`);
    const power = powers.length === 0 ? '' : `: it may ${powers.join(', ')}`;
    return warning(
      target === '*.*' ? 'user-has-power' : 'user-can-write',
      `${user} has ${list} on ${target}${power}. Statements that use it are refused; a user without it is stronger.`,
      [...revoked, ...(groups.has(true) ? [grantReading] : [])].join('\n'),
    );
  });
  if (opaque > 0) {
    const message = `${user} may not see the definitions of ${opaque} views, so that functions which these call are not looked for.`;
    const fix = `GRANT SHOW VIEW ON ${tables} TO ${user};`;
    findings.push({ severity: 'info', code: 'views-not-visible', message, fix });
  }
  for (const role of look.roles) {
    const message = `${user} may take the role ${role}, which was not looked into. No statement can take it here.`;
    findings.push({ severity: 'info', code: 'role-not-seen', message });
  }
  if (server.isMariadb !== (dialect === mariadbDialect)) {
    const [is, scheme] = server.isMariadb ? ['MariaDB', 'mariadb'] : ['MySQL', 'mysql'];
    const message = `The server is ${is}, and SQL is asked for as ${dialect.displayName} writes it.`;
    findings.push(warning('other-product', message, `Write ${scheme}:// in the address, or product: '${scheme}'.`));
  }
  const encryption = 'Set `ssl: true`, or ssl-mode=verify_identity in the address.';
  return [...findings, ...serverFindings(look, host, { reading: grantReading, encryption })];
}
