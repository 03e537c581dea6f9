import type { ConnectionOptions } from 'node:tls';
import { readServerAddress, type ServerOptions } from '@askema/adapter-kit';
import { invalidOption } from '@askema/core';

/** What a connection string says. */
export interface AddressParts extends ServerOptions {
  readonly applicationName?: string | undefined;
}

/** What each parameter says. */
const PARAMETERS: Readonly<Record<string, (value: string) => AddressParts>> = {
  sslmode: (value) => ({ ssl: sslOfMode(value) }),
  host: (host) => ({ host }),
  port: (value) => ({ port: Number(value) }),
  user: (user) => ({ user }),
  dbname: (database) => ({ database }),
  application_name: (applicationName) => ({ applicationName }),
};

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`, as libpq writes it
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS); one host, and of the parameters
 * `sslmode`, `host`, `port`, `user`, `dbname`, `password` and `application_name`.
 *
 * @throws AskemaError `CONFIG_INVALID`, never with the address in it.
 */
export function readAddress(address: string): AddressParts {
  const example = 'postgres://reader@db.example:5432/shop?sslmode=verify-full';
  const { parameters, ...parts } = readServerAddress(address, ['postgres://', 'postgresql://'], example);
  return Object.assign(parts, ...parameters.map(([name, value]) => readParameter(name, value)));
}

function readParameter(name: string, value: string): AddressParts {
  if (name === 'password') return { password: value };
  const read = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
  if (read !== undefined) return read(value);
  throw invalidOption(
    `The address has the parameter \`${name}\`, which this adapter does not know; it knows ${Object.keys(PARAMETERS).join(', ')}.`,
  );
}

/**
 * libpq's modes; `allow` and `prefer` would try without encryption first or after, which this adapter never does by
 * itself.
 */
export function sslOfMode(mode: string): boolean | ConnectionOptions {
  if (mode === 'disable' || mode === 'allow') return false;
  // As libpq: encrypted, whoever answers.
  if (mode === 'prefer') return false;
  if (mode === 'require' || mode === 'no-verify') return { rejectUnauthorized: false };
  if (mode === 'verify-ca') return { checkServerIdentity: () => undefined };
  if (mode === 'verify-full') return true;
  throw invalidOption(
    `\`sslmode\` is ${JSON.stringify(mode)}; it must be disable, prefer, require, verify-ca or verify-full.`,
  );
}
