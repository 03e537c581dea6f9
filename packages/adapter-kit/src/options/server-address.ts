import type { ConnectionOptions } from 'node:tls';
import { checkText, checkWhole, decodePart, invalidOption } from '@askema/core';

/** What an address of a server says. */
export interface ServerAddress {
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly database: string | undefined;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** What stands behind `?`, in its order. */
  readonly parameters: readonly (readonly [name: string, value: string])[];
}

/**
 * Reads `scheme://user:password@host:port/database?name=value`; each part may be left out.
 *
 * @param schemes in lower case, with `://`.
 * @param example stands in messages.
 * @throws AskemaError `CONFIG_INVALID`, never with the address in it, because a password may be.
 */
export function readServerAddress(address: string, schemes: readonly string[], example: string): ServerAddress {
  const scheme = typeof address === 'string' ? (/^[a-z][a-z0-9+.-]*:\/\//i.exec(address)?.[0] ?? '') : '';
  if (!schemes.includes(scheme.toLowerCase()))
    throw invalidOption(`The address does not begin with ${schemes.join(' or ')}; an example: ${example}.`);
  let url: URL;
  try {
    // A special scheme makes the parser take an empty host for an error; this one does not.
    url = new URL(`server://${address.slice(scheme.length)}`);
  } catch {
    // What the parser throws has the address, and so perhaps a password, in it.
    throw invalidOption(
      `The address of the database cannot be read (a name with special characters must be percent-encoded); an example: ${example}.`,
    );
  }
  const decoded = (part: string): string | undefined => (part === '' ? undefined : decodePart(part, example));
  return {
    host: decoded(url.hostname.replace(/^\[(.*)\]$/, '$1')),
    port: url.port === '' ? undefined : Number(url.port),
    database: decoded(url.pathname.slice(1)),
    user: decoded(url.username),
    password: decoded(url.password),
    parameters: [...url.searchParams],
  };
}

/** A password, or what gives one when a connection is opened (tokens that expire). */
export type Password = string | (() => string | Promise<string>);

/** Options of an adapter that connects to a server; its own options extend them. */
export interface ServerOptions {
  /** A host name, an address, or where a Unix socket is. Default: `localhost`. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  /** Default: the name of the user. */
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: Password | undefined;
  /**
   * `true`: encrypted, and the certificate is checked. Options of Node's `tls.connect` for own authorities. Default:
   * not encrypted.
   */
  readonly ssl?: boolean | ConnectionOptions | undefined;
}

/** The same, checked. */
export interface ResolvedServerOptions {
  /** The name to show: host and database. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly database: string | undefined;
  readonly user: string | undefined;
  readonly password: Password | undefined;
  readonly ssl: false | ConnectionOptions;
}

/**
 * Checks where a server is and who asks; what `options` leaves out is taken from `address`.
 *
 * @throws AskemaError `CONFIG_INVALID`
 */
export function resolveServerOptions(
  options: ServerOptions,
  address: ServerOptions,
  defaultPort: number,
): ResolvedServerOptions {
  const host = checkText('host', options.host ?? address.host) ?? 'localhost';
  const user = checkText('user', options.user ?? address.user);
  const database = checkText('database', options.database ?? address.database);
  const password = options.password ?? address.password;
  if (password !== undefined && typeof password !== 'string' && typeof password !== 'function')
    throw invalidOption('`password` is neither a text nor a function that gives one.');
  return {
    name: `${host}/${database ?? user ?? ''}`,
    host,
    port: checkWhole('port', options.port ?? address.port ?? defaultPort, 1, 65_535),
    database,
    user,
    password,
    ssl: resolveSsl(options.ssl ?? address.ssl),
  };
}

function resolveSsl(ssl: boolean | ConnectionOptions | undefined): false | ConnectionOptions {
  if (ssl === undefined || ssl === false) return false;
  if (ssl === true) return {};
  if (typeof ssl === 'object' && ssl !== null) return ssl;
  throw invalidOption('`ssl` must be true, false, or options of `tls.connect`.');
}
