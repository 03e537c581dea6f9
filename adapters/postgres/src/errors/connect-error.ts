import {
  connectError as explain,
  misconfigured,
  type Remedy,
  TOO_MANY_CONNECTIONS,
  unavailable,
} from '@askema/adapter-kit';
import type { AskemaError } from '@askema/core';
import type { ResolvedOptions } from '../options.ts';

/** By SQLSTATE (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  '28P01': misconfigured('Check user and password (PGPASSWORD, PGPASSFILE or the option `password`).'),
  '28000': misconfigured(
    'Check user and database, and what pg_hba.conf allows; a server may insist on encryption (`ssl: true`).',
  ),
  '3D000': {
    code: 'DATABASE_NOT_FOUND',
    remedy: 'Check the name of the database: `SELECT datname FROM pg_database` lists them.',
  },
  '42501': misconfigured('Let this user connect: GRANT CONNECT ON DATABASE … TO …'),
  '53300': TOO_MANY_CONNECTIONS,
  '57P03': unavailable('The server is starting or stopping; try again in a moment.'),
};

/** What the driver says by itself. */
const PATTERNS: readonly (readonly [RegExp, Remedy])[] = [
  [
    /does not support SSL/,
    misconfigured(
      'The server has no encryption: leave out `ssl` (or `sslmode`) where the network is trusted, or turn on `ssl` on the server.',
    ),
  ],
  [
    /password must be|no password supplied/i,
    misconfigured('The server asks for a password: set PGPASSWORD, a password file, or the option `password`.'),
  ],
];

/** What was missing when no connection could be opened, and what to do. */
export function connectError(thrown: unknown, options: ResolvedOptions): AskemaError {
  return explain(thrown, { product: 'PostgreSQL', options, remedies: REMEDIES, patterns: PATTERNS });
}
