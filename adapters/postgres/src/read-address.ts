import type { ConnectionOptions } from 'node:tls';
import { readServerAddress, type ServerOptions } from '@askema/adapter-kit';
import { checkChoice } from '@askema/core';

/** What a connection string says. */
export interface AddressParts extends ServerOptions {
  readonly applicationName?: string | undefined;
}

/**
 * libpq's modes; `allow` and `prefer` would try without encryption first or after, which this adapter never does by
 * itself.
 */
const SSL_MODES: Readonly<Record<string, boolean | ConnectionOptions>> = {
  disable: false,
  allow: false,
  prefer: false,
  // As libpq: encrypted, whoever answers.
  require: { rejectUnauthorized: false },
  'no-verify': { rejectUnauthorized: false },
  'verify-ca': { checkServerIdentity: () => undefined },
  'verify-full': true,
};

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`, as libpq writes it
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS); one host, and of the parameters
 * `sslmode`, `host`, `port`, `user`, `dbname`, `password` and `application_name`.
 *
 * @throws AskemaError `CONFIG_INVALID`, never with the address in it.
 */
export function readAddress(address: string): AddressParts {
  return readServerAddress<AddressParts>(address, {
    schemes: ['postgres://', 'postgresql://'],
    example: 'postgres://reader@db.example:5432/shop?sslmode=verify-full',
    parameters: {
      sslmode: (value) => ({ ssl: sslOfMode(value) }),
      host: (host) => ({ host }),
      port: (value) => ({ port: Number(value) }),
      user: (user) => ({ user }),
      dbname: (database) => ({ database }),
      password: (password) => ({ password }),
      application_name: (applicationName) => ({ applicationName }),
    },
  });
}

export function sslOfMode(mode: string): boolean | ConnectionOptions | undefined {
  return SSL_MODES[checkChoice('sslmode', mode, Object.keys(SSL_MODES))];
}
