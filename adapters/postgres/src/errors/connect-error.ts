import { AskemaError, type ErrorCode } from '@askema/core';
import type { ResolvedOptions } from '../options.ts';

/** What is to be said of a failure to connect. */
interface Remedy {
  readonly code: ErrorCode;
  readonly retryable?: boolean | undefined;
  readonly remedy: string;
}

/** By SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html) or Node's code. */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  '28P01': {
    code: 'CONFIG_INVALID',
    remedy: 'Check user and password (PGPASSWORD, PGPASSFILE or the option `password`).',
  },
  '28000': {
    code: 'CONFIG_INVALID',
    remedy: 'Check user and database, and what pg_hba.conf allows; a server may insist on encryption (`ssl: true`).',
  },
  '3D000': {
    code: 'DATABASE_NOT_FOUND',
    remedy: 'Check the name of the database: `SELECT datname FROM pg_database` lists them.',
  },
  '42501': { code: 'CONFIG_INVALID', remedy: 'Let this user connect: GRANT CONNECT ON DATABASE … TO …' },
  '53300': {
    code: 'DATABASE_UNAVAILABLE',
    retryable: true,
    remedy: 'Too many connections are open: lower `poolSize`, close other clients, or raise max_connections.',
  },
  '57P03': {
    code: 'DATABASE_UNAVAILABLE',
    retryable: true,
    remedy: 'The server is starting or stopping; try again in a moment.',
  },
  ECONNREFUSED: {
    code: 'DATABASE_UNAVAILABLE',
    retryable: true,
    remedy: 'Nothing answers there: check that the server runs, and host and port.',
  },
  ENOTFOUND: { code: 'DATABASE_UNAVAILABLE', retryable: true, remedy: 'The name of the host is not known; check it.' },
  ENOENT: { code: 'DATABASE_UNAVAILABLE', retryable: true, remedy: 'There is no socket of a server in this folder.' },
};

/** Whatever else fails before a session is there. */
const OTHERWISE: Remedy = {
  code: 'DATABASE_UNAVAILABLE',
  retryable: true,
  remedy: 'Check that the server runs and can be reached; try again.',
};

const SSL_REMEDY: Remedy = {
  code: 'CONFIG_INVALID',
  remedy:
    'The server has no encryption: leave out `ssl` (or `sslmode`) where the network is trusted, or turn on `ssl` on the server.',
};

/** What was missing when no connection could be opened, and what to do. The driver's words carry no secrets. */
export function connectError(thrown: unknown, { name, host, port, user, database }: ResolvedOptions): AskemaError {
  const { code, message } = describeThrown(thrown);
  const remedy = /does not support SSL/.test(message)
    ? SSL_REMEDY
    : /certificate|self.signed|altname/i.test(`${message} ${code}`)
      ? {
          code: 'CONFIG_INVALID' as const,
          remedy: 'The certificate of the server is not trusted: give its authority, `ssl: { ca }`.',
        }
      : /password must be|no password supplied/i.test(message)
        ? {
            code: 'CONFIG_INVALID' as const,
            remedy: 'The server asks for a password: set PGPASSWORD, a password file, or the option `password`.',
          }
        : (REMEDIES[code ?? ''] ?? OTHERWISE);
  const whom = user === undefined ? '' : ` as ${user}`;
  const place = `${host}:${port}${database === undefined ? '' : `/${database}`}`;
  return new AskemaError(
    remedy.code,
    `PostgreSQL at ${place}${whom} cannot be reached: ${message.trim()}. ${remedy.remedy}`,
    {
      retryable: remedy.retryable ?? false,
      details: { database: name, vendorCode: code },
      cause: thrown,
    },
  );
}

/** Several addresses of one host fail as one AggregateError without words of its own. */
function describeThrown(thrown: unknown): { readonly code: string | undefined; readonly message: string } {
  const first = thrown instanceof AggregateError ? (thrown.errors[0] ?? thrown) : thrown;
  const { code, message } = first as { readonly code?: unknown; readonly message?: unknown };
  return {
    code: typeof code === 'string' ? code : undefined,
    message: String(message ?? first).replace(/\.$/, '') || String(code ?? 'no answer'),
  };
}
