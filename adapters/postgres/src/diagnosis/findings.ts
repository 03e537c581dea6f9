import { serverFindings, warning } from '@askema/adapter-kit';
import { type DiagnosisFinding, quoteIfNeeded } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { furtherFindings } from './further-rights.ts';
import { type Look, POWERS } from './look.ts';

/** As many examples as a message names. */
const SHOWN = 5;

const name = (text: string): string => quoteIfNeeded(text, postgresDialect);
const qualified = (text: string): string =>
  text
    .split('.')
    .map((part) => name(part))
    .join('.');

/** What a person should know of a connection, with the SQL that mends it for the role and the schemas that are there. */
export function findingsOf(look: Look, host: string): DiagnosisFinding[] {
  return [...ofRole(look), ...ofFunctions(look), ...ofTables(look, host)];
}

function ofRole(look: Look): DiagnosisFinding[] {
  const { user, superuser, powers, writable, creatable, further } = look;
  if (superuser)
    return [
      warning(
        'role-is-superuser',
        `${user} is a superuser: functions and COPY could reach files and programs of the server. Their names are refused, but a role that may not is the only guarantee.`,
        readerRole(look),
      ),
    ];
  const beside = further.filter(({ kind, name: power }) => kind !== 'predefined' || !powers.includes(power));
  const findings = powers.map((power) =>
    warning(
      'role-has-power',
      `${user} is a member of ${power} and may ${POWERS[power] ?? 'do more than read'}.`,
      `REVOKE ${power} FROM ${name(user)};`,
    ),
  );
  findings.push(...furtherFindings(beside, name(user), readerRole(look)));
  if (writable === 0 && creatable.length === 0) return findings;
  const tables = writable === 0 ? '' : `write to ${count(writable, 'table')} (${look.example})`;
  const schemas = creatable.length === 0 ? '' : `create tables in ${creatable.join(', ')}`;
  const may = [tables, schemas].filter((part) => part !== '').join(' and ');
  const message = `${user} may ${may}. Read-only transactions keep it from that; a role that may only read is stronger.`;
  return [...findings, warning('role-can-write', message, look.owned > 0 ? readerRole(look) : revokeWriting(look))];
}

function ofFunctions({ user, extensions, definers, programs, foreign, terminates }: Look): DiagnosisFinding[] {
  const findings: DiagnosisFinding[] = [];
  if (extensions.length > 0)
    findings.push(
      warning(
        'extension-reaches-out',
        `The extensions ${extensions.join(', ')} are installed; their functions may do what a read-only transaction does not stop. What leads to them is refused.`,
        extensions.includes('dblink')
          ? 'REVOKE EXECUTE ON FUNCTION dblink(text), dblink(text, text), dblink_exec(text), dblink_exec(text, text) FROM PUBLIC;'
          : undefined,
      ),
    );
  if (definers.length > 0) {
    const shown = definers.slice(0, SHOWN).map(({ signature, definer }) => `${signature} of ${definer}`);
    findings.push(
      warning(
        'functions-with-owner-rights',
        `${user} may execute ${count(definers.length, 'function')} that run with the rights of their owner: ${withRest(shown, definers.length)}. What leads to one is refused, unless it is allowed or written in SQL that only reads.`,
        definers
          .slice(0, SHOWN)
          .map(({ signature }) => `REVOKE EXECUTE ON FUNCTION ${signature} FROM PUBLIC, ${name(user)};`)
          .join('\n'),
      ),
    );
  }
  if (programs.length > 0)
    findings.push(
      warning(
        'foreign-table-runs-program',
        `Reading ${withRest(programs.slice(0, SHOWN), programs.length)} runs a program on the server. What leads there is refused.`,
        `REVOKE SELECT ON ${programs.slice(0, SHOWN).map(qualified).join(', ')} FROM PUBLIC, ${name(user)};`,
      ),
    );
  if (foreign > programs.length)
    findings.push({
      severity: 'info',
      code: 'foreign-tables',
      message: `${count(foreign - programs.length, 'foreign table')} can be read; what another server does for that is not seen.`,
    });
  if (!terminates)
    findings.push({
      severity: 'info',
      code: 'cannot-terminate',
      message: `${user} may not call pg_terminate_backend: a statement that does not obey a cancel runs on until the server notices that the connection is closed.`,
      fix: `GRANT EXECUTE ON FUNCTION pg_terminate_backend TO ${name(user)};`,
    });
  return findings;
}

function ofTables(look: Look, host: string): DiagnosisFinding[] {
  const { user, readable, hidden, hiddenSchemas } = look;
  const reading = grantReading(user, hiddenSchemas.length === 0 ? ['public'] : hiddenSchemas).join('\n');
  const encryption = 'Set `ssl: true`, or sslmode=verify-full in the address.';
  const findings = serverFindings(look, host, { reading, encryption });
  if (readable === 0 || hidden === 0) return findings;
  const message = `${user} may not read ${count(hidden, 'table')} of ${hiddenSchemas.join(', ')}.`;
  return [{ severity: 'info', code: 'tables-not-readable', message, fix: reading }, ...findings];
}

function count(many: number, what: string): string {
  return `${many} ${what}${many === 1 ? '' : 's'}`;
}

function withRest(shown: readonly string[], many: number): string {
  return many > shown.length ? `${shown.join(', ')} and ${many - shown.length} more` : shown.join(', ');
}

function grantReading(user: string, schemas: readonly string[]): string[] {
  return schemas.flatMap((schema) => [
    `GRANT USAGE ON SCHEMA ${name(schema)} TO ${name(user)};`,
    `GRANT SELECT ON ALL TABLES IN SCHEMA ${name(schema)} TO ${name(user)};`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA ${name(schema)} GRANT SELECT ON TABLES TO ${name(user)};`,
  ]);
}

/** From PUBLIC as well: a right that everybody has cannot be taken from one role. */
function revokeWriting({ user, writableSchemas, creatable }: Look): string {
  return [
    ...writableSchemas.map(
      (schema) =>
        `REVOKE INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER ON ALL TABLES IN SCHEMA ${name(schema)} FROM PUBLIC, ${name(user)};`,
    ),
    ...creatable.map((schema) => `REVOKE CREATE ON SCHEMA ${name(schema)} FROM PUBLIC, ${name(user)};`),
  ].join('\n');
}

/** Who owns tables, or may do everything, keeps that right: another role that may only read, as SQL to copy. */
function readerRole({ database, schemas }: Look): string {
  return [
    `CREATE ROLE askema_reader LOGIN PASSWORD '…';`,
    `GRANT CONNECT ON DATABASE ${name(database)} TO askema_reader;`,
    ...grantReading('askema_reader', schemas.length === 0 ? ['public'] : schemas),
    'ALTER ROLE askema_reader SET default_transaction_read_only = on;',
  ].join('\n');
}
