import type { ConnectionOptions } from 'node:tls';
import { type Access, AskemaError } from '@askema/core';

/** A password, or what gives one when a connection is opened (tokens that expire). */
export type PostgresPassword = string | (() => string | Promise<string>);

/** Options of {@link postgres}. Without `connectionString` the parts say where the server is. */
export interface PostgresOptions {
  /** `postgres://user@host:5432/database`. Parts that are given beside it win. */
  readonly connectionString?: string | undefined;
  /** A host name, an address, or the folder of a Unix socket. Default: `localhost`. */
  readonly host?: string | undefined;
  /** Default: 5432. */
  readonly port?: number | undefined;
  /** Default: the name of the user. */
  readonly database?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: PostgresPassword | undefined;
  /** `true`: encrypted, and the certificate is checked. Options of Node's `tls.connect` for own authorities. Default: not encrypted. */
  readonly ssl?: boolean | ConnectionOptions | undefined;
  /** What `pg_stat_activity` shows. Default: `askema`. */
  readonly applicationName?: string | undefined;
  /** Where names without a schema are looked for. Default: that of the server for this user. */
  readonly searchPath?: readonly string[] | undefined;
  /** The schemas that `introspect` reads. Default: all but those of the system. */
  readonly schemas?: readonly string[] | undefined;
  /** What the adapter may be asked for at most. Default: `read`. */
  readonly access?: Access | undefined;
  /** Connections at most, and so statements side by side. Default: 4. */
  readonly poolSize?: number | undefined;
  /** Opening one connection. Default: 10,000. */
  readonly connectTimeoutMs?: number | undefined;
  /** How long a statement waits for a lock. Default: 5,000. */
  readonly lockTimeoutMs?: number | undefined;
  /** A connection without work is closed after this time. Default: 10,000. */
  readonly idleTimeoutMs?: number | undefined;
  /** All of `introspect` but the row counts. Default: 60,000. */
  readonly introspectTimeoutMs?: number | undefined;
  /** Counting rows ends after this time; what is not counted then is estimated or left out. 0: no counting. Default: 2,000. */
  readonly rowCountTimeoutMs?: number | undefined;
}

/** All options with their defaults. */
export interface ResolvedOptions {
  /** The name to show: host and database. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly database: string | undefined;
  readonly user: string | undefined;
  readonly password: PostgresPassword | undefined;
  readonly ssl: false | ConnectionOptions;
  readonly applicationName: string;
  readonly searchPath: readonly string[] | undefined;
  readonly schemas: readonly string[] | undefined;
  readonly access: Access;
  readonly poolSize: number;
  readonly connectTimeoutMs: number;
  readonly lockTimeoutMs: number;
  readonly idleTimeoutMs: number;
  readonly introspectTimeoutMs: number;
  readonly rowCountTimeoutMs: number;
}

/** The longest that a timer of the runtime can wait. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveOptions(options: PostgresOptions): ResolvedOptions {
  const parts = { ...(options.connectionString === undefined ? {} : readAddress(options.connectionString)) };
  const host = text('host', options.host ?? parts.host) ?? 'localhost';
  const user = text('user', options.user ?? parts.user);
  const database = text('database', options.database ?? parts.database);
  const access = options.access ?? 'read';
  if (access !== 'read' && access !== 'write')
    throw invalid(`\`access\` is ${JSON.stringify(access)}; it must be 'read' or 'write'.`);
  const password = options.password ?? parts.password;
  if (password !== undefined && typeof password !== 'string' && typeof password !== 'function')
    throw invalid('`password` is neither a text nor a function that gives one.');
  return {
    name: `${host}/${database ?? user ?? ''}`,
    host,
    port: whole('port', options.port ?? parts.port ?? 5432, 1, 65_535),
    database,
    user,
    password,
    ssl: resolveSsl(options.ssl ?? parts.ssl),
    applicationName: text('applicationName', options.applicationName ?? parts.applicationName) ?? 'askema',
    searchPath: names('searchPath', options.searchPath),
    schemas: names('schemas', options.schemas),
    access,
    poolSize: whole('poolSize', options.poolSize ?? 4, 1, 64),
    connectTimeoutMs: whole('connectTimeoutMs', options.connectTimeoutMs ?? 10_000, 1, MAX_TIMER_MS),
    lockTimeoutMs: whole('lockTimeoutMs', options.lockTimeoutMs ?? 5_000, 1, MAX_TIMER_MS),
    idleTimeoutMs: whole('idleTimeoutMs', options.idleTimeoutMs ?? 10_000, 0, MAX_TIMER_MS),
    introspectTimeoutMs: whole('introspectTimeoutMs', options.introspectTimeoutMs ?? 60_000, 1, MAX_TIMER_MS),
    rowCountTimeoutMs: whole('rowCountTimeoutMs', options.rowCountTimeoutMs ?? 2_000, 0, MAX_TIMER_MS),
  };
}

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
 * (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-CONNSTRING-URIS); one host, and of the parameters `sslmode`, `host`, `port`,
 * `user`, `dbname` and `application_name`.
 *
 * @throws AskemaError `CONFIG_INVALID`, never with the address in it.
 */
export function readAddress(address: string): AddressParts {
  const example = 'an example: postgres://reader@db.example:5432/shop?sslmode=verify-full';
  if (typeof address !== 'string' || !/^postgres(ql)?:\/\//i.test(address))
    throw invalid(`The address does not begin with postgres:// or postgresql://; ${example}.`);
  let url: URL;
  try {
    // A special scheme makes the parser take an empty host for an error; this one does not.
    url = new URL(address.replace(/^postgres(ql)?:/i, 'postgres:'));
  } catch (error) {
    throw invalid(
      `The address of the database cannot be read (a name with special characters must be percent-encoded); ${example}.`,
      error,
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
    throw invalid(
      `The address has the parameter \`${key}\`, which this adapter does not know; it knows sslmode, host, port, user, dbname, application_name.`,
    );
}

/** libpq's modes; `allow` and `prefer` would try without encryption first or after, which this adapter never does by itself. */
export function sslOfMode(mode: string): boolean | ConnectionOptions {
  if (mode === 'disable' || mode === 'allow') return false;
  // As libpq: encrypted, whoever answers.
  if (mode === 'prefer') return false;
  if (mode === 'require' || mode === 'no-verify') return { rejectUnauthorized: false };
  if (mode === 'verify-ca') return { checkServerIdentity: () => undefined };
  if (mode === 'verify-full') return true;
  throw invalid(
    `\`sslmode\` is ${JSON.stringify(mode)}; it must be disable, prefer, require, verify-ca or verify-full.`,
  );
}

function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch (error) {
    throw invalid('A part of the address is not percent-encoded as it should be.', error);
  }
}

function resolveSsl(ssl: boolean | ConnectionOptions | undefined): false | ConnectionOptions {
  if (ssl === undefined || ssl === false) return false;
  if (ssl === true) return {};
  if (typeof ssl === 'object' && ssl !== null) return ssl;
  throw invalid('`ssl` must be true, false, or options of `tls.connect`.');
}

function text(name: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value.trim() !== '' && !value.includes('\0')) return value;
  throw invalid(`\`${name}\` is ${JSON.stringify(value)}; it must be a text that is not empty.`);
}

function names(name: string, value: readonly string[] | undefined): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string' && each !== ''))
    return value;
  throw invalid(`\`${name}\` must be a list of schema names with at least one in it.`);
}

function whole(name: string, value: number, least: number, most: number): number {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return value;
  throw invalid(`\`${name}\` is ${value}; it must be a whole number from ${least} to ${most}.`);
}

export function invalid(message: string, cause?: unknown): AskemaError {
  // What a parser of addresses throws has the address, and so perhaps a password, in it.
  return new AskemaError('CONFIG_INVALID', message, cause instanceof AskemaError ? { cause } : {});
}
