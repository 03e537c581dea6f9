import { AskemaError, type ErrorCode, isAskemaError } from '@askema/core';

interface Remedy {
  readonly code: ErrorCode;
  readonly retryable?: boolean | undefined;
  readonly remedy: string;
}

const RIGHTS: Remedy = {
  code: 'CONFIG_INVALID',
  remedy:
    'The user lacks a right: let a user who may make schemas run `migrateDatabase({ connection, role })` once, which makes the tables and grants them to the role, and open the runner with `migrate: false`.',
};

const TABLES: Remedy = {
  code: 'CONFIG_INVALID',
  remedy:
    'The tables are not there, or old: run `migrateDatabase({ connection })` once, or leave out `migrate: false`.',
};

/** By SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) or Node's code. */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  '28P01': { code: 'CONFIG_INVALID', remedy: 'Check user and password of `connection`.' },
  '28000': { code: 'CONFIG_INVALID', remedy: 'Check the user, and what pg_hba.conf allows.' },
  '3D000': { code: 'DATABASE_NOT_FOUND', remedy: 'Make it first: CREATE DATABASE …' },
  '42501': RIGHTS,
  '42P01': TABLES,
  '53300': {
    code: 'DATABASE_UNAVAILABLE',
    retryable: true,
    remedy: 'Too many connections are open: each process of a runner takes up to 9; raise max_connections.',
  },
  '57P03': { code: 'DATABASE_UNAVAILABLE', retryable: true, remedy: 'The server is starting or stopping; try again.' },
  ECONNREFUSED: {
    code: 'DATABASE_UNAVAILABLE',
    retryable: true,
    remedy: 'Nothing answers there: check that the server runs, and host and port.',
  },
  ENOTFOUND: { code: 'DATABASE_UNAVAILABLE', retryable: true, remedy: 'The name of the host is not known; check it.' },
};

const OTHERWISE: Remedy = {
  code: 'DATABASE_UNAVAILABLE',
  retryable: true,
  remedy: 'Check that the server runs and can be reached; try again.',
};

/**
 * What the database, or DBOS on the way to it, had against it; `what` begins the sentence. The password of `connection`
 * is not in it.
 */
export function connectionError(thrown: unknown, what: string, connection: string): AskemaError {
  if (isAskemaError(thrown)) return thrown;
  const { code, message } = describeThrown(thrown);
  const remedy = REMEDIES[code ?? ''] ?? remedyByWords(message);
  return new AskemaError(
    remedy.code,
    `${what} at ${placeOf(connection)} failed: ${withoutPassword(message, connection)}. ${remedy.remedy}`,
    { retryable: remedy.retryable ?? false, details: { vendorCode: code } },
  );
}

/** DBOS has no codes for these. */
function remedyByWords(message: string): Remedy {
  if (/permission denied/i.test(message)) return RIGHTS;
  return /schema version|runMigrations/.test(message) ? TABLES : OTHERWISE;
}

/** `CONFIG_INVALID` for an invalid address. */
export function checkConnection(connection: string): void {
  const url = URL.canParse(connection) ? new URL(connection) : undefined;
  const right = url !== undefined && ['postgres:', 'postgresql:'].includes(url.protocol) && url.pathname.length > 1;
  if (right && url.username !== '') return;
  throw new AskemaError(
    'CONFIG_INVALID',
    '`connection` is no address of a PostgreSQL database; write postgres://user:password@host:port/database.',
  );
}

/** `user@host:port/database`. */
function placeOf(connection: string): string {
  const { username, host, pathname } = new URL(connection);
  return `${decodeURIComponent(username)}@${host}${pathname}`;
}

function withoutPassword(message: string, connection: string): string {
  const { password } = new URL(connection);
  const secrets = [password, safeDecode(password)].filter((secret) => secret.length > 2);
  return secrets.reduce((text, secret) => text.replaceAll(secret, '[redacted]'), message).replace(/\.$/, '');
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * The innermost cause says most: DBOS wraps what `pg` threw, and several addresses of one host fail as one
 * AggregateError.
 */
function describeThrown(thrown: unknown): { readonly code: string | undefined; readonly message: string } {
  let inner = thrown;
  for (let depth = 0; depth < 5; depth += 1) {
    const next = inner instanceof AggregateError ? inner.errors[0] : (inner as { readonly cause?: unknown })?.cause;
    if (next === undefined || next === null) break;
    inner = next;
  }
  const { code, message } = (inner ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  return {
    code: typeof code === 'string' ? code : undefined,
    message: String(message ?? inner) || String(code ?? 'no answer'),
  };
}
