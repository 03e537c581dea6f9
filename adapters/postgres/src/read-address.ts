import type { ConnectionOptions } from 'node:tls';
import { decodePart, invalidOption } from '@askema/core';

const EXAMPLE = 'postgres://reader@db.example:5432/shop?sslmode=verify-full';

/** What a connection string says. */
export interface AddressParts {
  host?: string | undefined;
  port?: number | undefined;
  database?: string | undefined;
  user?: string | undefined;
  password?: string | undefined;
  ssl?: boolean | ConnectionOptions | undefined;
  applicationName?: string | undefined;
}

/**
 * Reads `postgres://user:password@host:port/database?sslmode=…`, as libpq writes it
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS); one host, and of the parameters
 * `sslmode`, `host`, `port`, `user`, `dbname` and `application_name`.
 *
 * @throws AskemaError `CONFIG_INVALID`, never with the address in it.
 */
export function readAddress(address: string): AddressParts {
  if (typeof address !== 'string' || !/^postgres(ql)?:\/\//i.test(address))
    throw invalidOption(`The address does not begin with postgres:// or postgresql://; an example: ${EXAMPLE}.`);
  let url: URL;
  try {
    // A special scheme makes the parser take an empty host for an error; this one does not.
    url = new URL(address.replace(/^postgres(ql)?:/i, 'postgres:'));
  } catch {
    // What the parser throws has the address, and so perhaps a password, in it.
    throw invalidOption(
      `The address of the database cannot be read (a name with special characters must be percent-encoded); an example: ${EXAMPLE}.`,
    );
  }
  const parts: AddressParts = {
    host: decoded(url.hostname.replace(/^\[(.*)\]$/, '$1')),
    port: url.port === '' ? undefined : Number(url.port),
    database: decoded(url.pathname.slice(1)),
    user: decoded(url.username),
    password: decoded(url.password),
  };
  for (const [key, value] of url.searchParams) applyParameter(parts, key, value);
  return parts;
}

function applyParameter(parts: AddressParts, key: string, value: string): void {
  if (key === 'sslmode') parts.ssl = sslOfMode(value);
  else if (key === 'host' || key === 'user') parts[key] = value;
  else if (key === 'port') parts.port = Number(value);
  else if (key === 'dbname') parts.database = value;
  else if (key === 'application_name') parts.applicationName = value;
  else if (key === 'password') parts.password = value;
  else
    throw invalidOption(
      `The address has the parameter \`${key}\`, which this adapter does not know; it knows sslmode, host, port, user, dbname, application_name.`,
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

function decoded(part: string): string | undefined {
  return part === '' ? undefined : decodePart(part, EXAMPLE);
}
