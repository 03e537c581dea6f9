import { connectError as explain, misconfigured, type Remedy, TOO_MANY_CONNECTIONS } from '@askema/adapter-kit';
import type { AskemaError } from '@askema/core';
import type { ResolvedOptions } from '../options.ts';

/** By the driver's name of the error (https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html). */
const REMEDIES: Readonly<Record<string, Remedy>> = {
  ER_ACCESS_DENIED_ERROR: misconfigured('Check user and password (MYSQL_PWD or the option `password`).'),
  ER_DBACCESS_DENIED_ERROR: misconfigured('Let this user in: GRANT SELECT ON the database TO the user.'),
  ER_HOST_NOT_PRIVILEGED: misconfigured('The server lets nobody in from this machine: check the host of the account.'),
  ER_MUST_CHANGE_PASSWORD_LOGIN: misconfigured('The password has expired: ALTER USER … IDENTIFIED BY …'),
  ER_SECURE_TRANSPORT_REQUIRED: misconfigured('The server insists on encryption: `ssl: true`.'),
  ER_BAD_DB_ERROR: {
    code: 'DATABASE_NOT_FOUND',
    remedy: 'Check the name of the database: SHOW DATABASES lists those that this user may see.',
  },
  ER_CON_COUNT_ERROR: TOO_MANY_CONNECTIONS,
  ER_TOO_MANY_USER_CONNECTIONS: TOO_MANY_CONNECTIONS,
  HANDSHAKE_NO_SSL_SUPPORT: misconfigured(
    'The server has no encryption: leave out `ssl` (or `ssl-mode`) where the network is trusted, or turn it on there.',
  ),
};

/** What was missing when no connection could be opened, and what to do. The driver's words carry no secrets. */
export function connectError(thrown: unknown, options: ResolvedOptions): AskemaError {
  return explain(thrown, { product: options.dialect.displayName, options, remedies: REMEDIES });
}
