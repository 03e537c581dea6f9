import type { ConnectionOptions } from 'node:tls';
import { type Access, checkAccess, checkNames, checkText, checkTimer, checkWhole, invalidOption } from '@askema/core';
import { readAddress } from './read-address.ts';

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
  /**
   * `true`: encrypted, and the certificate is checked. Options of Node's `tls.connect` for own authorities. Default:
   * not encrypted.
   */
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
  /**
   * Counting rows ends after this time; what is not counted then is estimated or left out. 0: no counting. Default:
   * 2,000.
   */
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

/** @throws AskemaError `CONFIG_INVALID` */
export function resolveOptions(options: PostgresOptions): ResolvedOptions {
  const parts = { ...(options.connectionString === undefined ? {} : readAddress(options.connectionString)) };
  const host = checkText('host', options.host ?? parts.host) ?? 'localhost';
  const user = checkText('user', options.user ?? parts.user);
  const database = checkText('database', options.database ?? parts.database);
  const password = options.password ?? parts.password;
  if (password !== undefined && typeof password !== 'string' && typeof password !== 'function')
    throw invalidOption('`password` is neither a text nor a function that gives one.');
  return {
    name: `${host}/${database ?? user ?? ''}`,
    host,
    port: checkWhole('port', options.port ?? parts.port ?? 5432, 1, 65_535),
    database,
    user,
    password,
    ssl: resolveSsl(options.ssl ?? parts.ssl),
    applicationName: checkText('applicationName', options.applicationName ?? parts.applicationName) ?? 'askema',
    searchPath: checkNames('searchPath', options.searchPath),
    schemas: checkNames('schemas', options.schemas),
    access: checkAccess(options.access),
    poolSize: checkWhole('poolSize', options.poolSize ?? 4, 1, 64),
    connectTimeoutMs: checkTimer('connectTimeoutMs', options.connectTimeoutMs ?? 10_000),
    lockTimeoutMs: checkTimer('lockTimeoutMs', options.lockTimeoutMs ?? 5_000),
    idleTimeoutMs: checkTimer('idleTimeoutMs', options.idleTimeoutMs ?? 10_000, 0),
    introspectTimeoutMs: checkTimer('introspectTimeoutMs', options.introspectTimeoutMs ?? 60_000),
    rowCountTimeoutMs: checkTimer('rowCountTimeoutMs', options.rowCountTimeoutMs ?? 2_000, 0),
  };
}

function resolveSsl(ssl: boolean | ConnectionOptions | undefined): false | ConnectionOptions {
  if (ssl === undefined || ssl === false) return false;
  if (ssl === true) return {};
  if (typeof ssl === 'object' && ssl !== null) return ssl;
  throw invalidOption('`ssl` must be true, false, or options of `tls.connect`.');
}
